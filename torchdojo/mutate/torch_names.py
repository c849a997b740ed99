"""What the tensor slips know about torch's names. No torch import: the names are enough."""


def words(text: str) -> set[str]:
    return set(text.split())


REDUCTIONS = {
    "sum": ("mean", "amax"),
    "mean": ("sum",),
    "max": ("min",),
    "min": ("max",),
    "amax": ("amin", "sum"),
    "amin": ("amax", "sum"),
    "prod": ("sum",),
    "argmax": ("argmin",),
    "argmin": ("argmax",),
    "std": ("var",),
    "var": ("std",),
    "any": ("all",),
    "all": ("any",),
    "cumsum": ("cumprod",),
    "logsumexp": ("sum",),
    "norm": (),
}

CONFUSED = {
    "from_numpy": "tensor as_tensor",
    "tensor": "as_tensor",
    "as_tensor": "tensor",
    "cat": "stack",
    "stack": "cat",
    "linspace": "arange",
    "expand": "repeat",
    "expand_as": "view_as",
    "repeat": "expand",
    "repeat_interleave": "repeat",
    "zeros": "ones empty",
    "ones": "zeros",
    "randn": "rand",
    "rand": "randn",
    "softmax": "log_softmax",
    "log_softmax": "softmax",
    "triu": "tril",
    "tril": "triu",
    "floor": "ceil round",
    "ceil": "floor",
    "round": "floor",
    "log1p": "log",
    "expm1": "exp",
    "clone": "detach",
    "scatter_add_": "scatter_",
    "scatter_add": "scatter",
    "index_add_": "index_copy_",
    "index_add": "index_copy",
    "eval": "train",
    "no_grad": "enable_grad",
    "matmul": "mul",
    "full_like": "empty_like",
    "zeros_like": "ones_like empty_like",
    "ones_like": "zeros_like",
    "parameters": "buffers",
    "named_parameters": "named_buffers",
    "modules": "children",
    "named_modules": "named_children",
    "dim": "numel",
    "ge": "gt",
    "gt": "ge",
    "le": "lt",
    "lt": "le",
    "eq": "ne",
}

DIM_KEYWORDS = ("dim", "axis", "dim0", "dim1", "start_dim", "end_dim")

# Where a method takes its axes; the torch function takes them one place later.
DIMS = {
    name: (0,)
    for name in words(
        "sum mean amax amin max min prod argmax argmin std var any all cumsum cumprod logsumexp softmax log_softmax "
        "unsqueeze squeeze stack cat concat gather scatter scatter_ scatter_add scatter_add_ index_add index_add_ "
        "index_select select size sort flip unbind flatten narrow index_copy_ index_fill_"
    )
} | {"transpose": (0, 1), "swapaxes": (0, 1), "movedim": (0, 1), "chunk": (1,), "split": (1,), "topk": (1,)}

MUST_HAVE_DIM = words(
    "unsqueeze transpose swapaxes movedim gather scatter scatter_ scatter_add scatter_add_ index_add index_add_ "
    "index_select select narrow index_copy_ index_fill_ flip softmax log_softmax logsumexp cumsum cumprod"
)

DTYPES = {
    "float32": "float64",
    "float64": "float32",
    "float": "double",
    "double": "float",
    "float16": "bfloat16",
    "bfloat16": "float16",
    "long": "int",
    "int": "long",
    "int64": "int32",
    "int32": "int64",
    "bool": "uint8",
}

# Elementwise functions that can be forgotten; all have an in-place twin too.
MATH = words(
    "sqrt rsqrt exp expm1 log log1p abs square pow clamp clamp_min clamp_max relu sigmoid tanh neg round floor ceil "
    "sign reciprocal"
)

# Calls that only change the shape, or reduce it; forgetting one often still runs, thanks to broadcasting.
SHAPING = words("sum mean sum_to_size expand expand_as squeeze unsqueeze flatten reshape view")

IN_PLACE = MATH | words(
    "add sub mul div masked_fill fill index_add index_copy index_fill scatter scatter_add addcmul addcdiv lerp "
    "triu tril masked_scatter"
)

LIKE = {"zeros_like", "ones_like", "full_like", "rand_like", "randn_like", "empty_like"}

SWAPPABLE = {
    name: (0, 1) for name in words("matmul mm bmm outer sub div pow atan2 cross_entropy ge gt le lt linear grad mv")
} | {"where": (1, 2), "lerp": (0, 1), "addcmul": (1, 2), "clamp": (1, 2)}

TENSOR_METHODS = MATH | words(
    "sum mean amax amin prod std var softmax log_softmax logsumexp reshape view transpose permute contiguous clone "
    "unsqueeze squeeze flatten expand gather index_select masked_fill masked_select add sub mul div matmul mm bmm t "
    "norm cumsum scatter scatter_add index_add where to float double sum_to_size new_zeros"
)

# Calls below `torch.` whose results have no graph, or are no tensors.
NOT_TENSORS = words(
    "device no_grad enable_grad inference_mode set_grad_enabled autocast arange zeros ones full empty tensor eye linspace "
    "rand randn randint randperm zeros_like ones_like full_like empty_like rand_like randn_like argmax argmin argsort "
    "is_tensor is_floating_point numel get_rng_state Generator Size save load manual_seed get_default_dtype from_numpy "
    "tril_indices broadcast_shapes isfinite isnan isinf equal allclose is_grad_enabled eq ne lt le gt ge result_type "
    "grad backward unbind split chunk finfo iinfo set_rng_state Linear Sequential Parameter Module ModuleList ReLU "
    "DataLoader SGD Adam GradScaler is_available device_count synchronize get_device perf_counter Dropout one_hot "
    "bincount logical_and logical_or logical_not vector_to_parameters topk sort std_mean var_mean promote_types Embedding "
    "LayerNorm BatchNorm1d Conv2d Tanh Sigmoid Buffer bernoulli apply fork_rng typename max min compile any all"
)
