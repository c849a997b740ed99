"""A pattern for FORBIDS that allows only the operations of an exercise's formula."""

from __future__ import annotations

# what PyTorch calls for a view, a copy, a new tensor, a number, a gradient: of no interest to any rule
_ALWAYS = (
    "alias* as_strided* _reshape_alias* view* _unsafe_view reshape* expand* permute* transpose* t numpy_T mT mH T "
    "movedim swap* select* slice* unsqueeze* squeeze* unbind* split* chunk narrow* diagonal* unflatten* flatten "
    "ravel detach* lift* resolve_* conj* _conj* clone contiguous copy* _copy_from* to _to_copy type_as float double "
    "half item _local_scalar_dense is_* _is_* equal _has_* size* stride* numel empty* new_* zeros* ones* full* "
    "scalar_tensor arange* linspace* eye* tensor fill* zero* set_* resize* rand* normal* uniform* bernoulli* "
    "_assert* sum_to_size expand_as view_as requires_grad_* retain_grad _version output_nr isfinite isnan isinf "
    "allclose isclose _efficientzerotensor _zerotensor result_type can_cast promote_types broadcast_* _nested* "
    "stack cat hstack vstack concat* value_selecting_reduction_backward slice_backward select_backward "
    "diagonal_backward unfold_backward masked_fill_backward index* _index* gather* scatter* take* masked_* where "
    "nonzero* argwhere tril* triu* flip* roll* repeat* tile unfold*"
)
_ARITHMETIC = (
    "add* sub* rsub* mul* div* true_divide* floor_divide* neg* negative* pow* square* reciprocal* sqrt* rsqrt* abs* "
    "absolute* sign* sgn* exp exp_ exp2* log log_ log2* log10* log1p* expm1* sum* mean* max* min* amax* amin* "
    "aminmax argmax* argmin* sort* cumsum* prod* clamp* clip* maximum* minimum* fmax* fmin* heaviside* copysign* "
    "xlogy* nan_to_num* eq* ne* not_equal* lt* le* gt* ge* greater* less* logical_* bitwise_* __* any* all* mm "
    "matmul* bmm* addmm* baddbmm* einsum dot mv ger outer* linalg_vector_norm norm* var* std* round* floor* ceil* "
    "trunc* frac* remainder* fmod*"
)


def small_steps(*more: str) -> str:
    """A pattern that matches every ATen operation but arithmetic, comparisons, reductions, matrix products and changes of shape.

    more: further allowed operations, as in small_steps("sigmoid*"). For an exercise whose task is a formula: a list
    of ready-made functions, by contrast, is never complete.
    """
    return " ".join(["aten.*", *(f"-aten.{name}" for name in (*_ALWAYS.split(), *_ARITHMETIC.split(), *more))])
