"""Known mistakes and unusual but correct solutions for as_shared and as_owned."""

import warnings

import numpy as np
import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "swap_function: return torch.as_tensor(a)": "as_tensor shares the memory of an array too",
    "swap_function: return torch.tensor(a.copy())": "copies a second time",
    "swap_function: return torch.as_tensor(a.copy())": "as_tensor of the copy shares with the copy alone",
}

HINTS = (
    "One function of PyTorch shares the array's memory, and another copies. Which is which?",
    "torch.from_numpy shares the memory; torch.tensor copies. Neither accepts negative strides, but NumPy's "
    "own copy has ordinary positive ones.",
    "as_shared is a single call on the array as it is. as_owned is the same call on a copy: copy the array "
    "first. Don't convert any dtype.",
)


shared_is_a_copy = mistake.edited("return torch.from_numpy(a)", "return torch.tensor(a)",
    "Your shared tensor has memory of its own, as after torch.tensor or clone, which copy. torch.from_numpy uses the memory of the array.")

shared_as_float32 = mistake.edited("return torch.from_numpy(a)", "return torch.from_numpy(a).float()",
    "Your shared tensor is float32: converting makes a copy as soon as the array has another dtype, and the sharing is "
    "over. Leave the dtype as it is.",
    pitfall="silently ends the sharing")

shared_after_tidying_up = mistake.edited(
    "torch.from_numpy(a)", "torch.from_numpy(np.ascontiguousarray(a).reshape(a.shape))",
    "A transposed, strided or reversed array was copied first, as by np.ascontiguousarray, so nothing is shared. "
    "Pass the array as it is; what cannot be shared must raise an error.")

asarray_copies_single_numbers = mistake.edited("return torch.from_numpy(a)", "return torch.asarray(a)",
    "An array without axes is not shared: some functions, such as torch.asarray, copy it. torch.from_numpy shares "
    "every shape.")

owned_still_shares = mistake.edited("return torch.from_numpy(a.copy())", "return torch.from_numpy(a)",
    "as_owned makes no copy: torch.from_numpy uses the array's memory, and refuses negative strides. Copy the array "
    "before.")

owned_refuses_reversed_arrays = mistake.edited("return torch.from_numpy(a.copy())", "return torch.tensor(a)",
    "An array with negative strides raises an error: PyTorch reads the array before the copy is made. Copy on NumPy's side first, then pass it on.")

owned_through_a_list = mistake.edited(
    "return torch.from_numpy(a.copy())", "return torch.tensor(a.tolist()).reshape(a.shape)",
    "Your dtypes are those of a Python list, which has no float64 or int32: they become float32 and int64. Copy the "
    "array instead.",
    pitfall="through a Python list loses the dtype")

owned_as_float32 = mistake.edited("return torch.from_numpy(a.copy())", "return torch.from_numpy(a.copy()).float()",
    "Your owned tensor is float32 whatever the array was: a copy keeps the dtype.")

owned_only_if_not_contiguous = mistake.edited(
    "torch.from_numpy(a.copy())", "torch.from_numpy(np.ascontiguousarray(a).reshape(a.shape))",
    "Contiguous arrays still share their memory: np.ascontiguousarray, for example, copies only the others. Always "
    "copy.")

owned_and_flat = mistake.edited("return torch.from_numpy(a.copy())", "return torch.from_numpy(a.flatten())",
    "Your owned tensor lost its shape: a flat copy has one axis. Copy without flattening.")

owned_with_an_axis_too_many = mistake.edited(
    "return torch.from_numpy(a.copy())", "return torch.from_numpy(np.ascontiguousarray(a).copy())",
    "An array without axes got one axis, as np.ascontiguousarray gives it: copy with a.copy(), which keeps the "
    "shape.")

shared_with_an_axis_too_many = mistake.edited("return torch.from_numpy(a)", "return torch.from_numpy(np.atleast_1d(a))",
    "An array without axes got one axis, as np.atleast_1d gives it: pass the array as it is.")


@mistake("as_owned")
def owned_after_unlocking(a):
    """The caller's array was read-only and is now writable: leave its flags alone, because a.copy() needs no permission."""
    if a.flags.owndata:
        a.flags.writeable = True
    return torch.from_numpy(a.copy())


@mistake("as_owned")
def locks_its_copy(a):
    """as_owned gave a warning: PyTorch warns about every read-only array whose memory it uses. Hand it a writable
    copy."""
    copied = a.copy()
    copied.flags.writeable = False
    return torch.from_numpy(copied)


@mistake("as_owned")
def owned_through_float32(a):
    """The dtype is right, but the digits beyond the seventh are lost, as on a way through float32. A copy needs no
    other dtype."""
    t = torch.from_numpy(a.copy())
    return t.float().to(t.dtype)


copies_only_what_has_no_base = mistake.edited(
    "torch.from_numpy(a.copy())",
    "torch.from_numpy(a.copy() if a.base is None or not a.flags.c_contiguous or not a.flags.writeable else a)",
    "A slice of a larger array was not copied: it uses the memory of that array. Always copy.")

shared_only_without_negative_strides = mistake.edited(
    "torch.from_numpy(a)", "torch.from_numpy(a.copy() if any(s < 0 for s in a.strides) else a)",
    "A reversed array raises no ValueError: it cannot be shared, so don't copy it first, and let the error of torch.from_numpy pass.")

shared_through_ascontiguousarray = mistake.edited(
    "return torch.from_numpy(a)", "return torch.from_numpy(np.ascontiguousarray(a))",
    "A copy comes before the sharing, as by np.ascontiguousarray, which copies what is not stored row by row, and "
    "gives an array without axes one axis. Pass the array as it is; what cannot be shared must raise an error.")


@mistake("as_owned")
def owned_unless_read_only(a):
    """A read-only array was not copied, and the tensor can write into its memory: always copy, because a.copy() needs no permission."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.from_numpy(a.copy() if a.flags.writeable or any(s < 0 for s in a.strides) else a)


@mistake("as_owned")
def copies_only_after_an_error(a):
    """You copied only where PyTorch refuses the array: all others still share their memory, including read-only ones. Always copy."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.from_numpy(a.copy() if any(s < 0 for s in a.strides) else a)


looks_at_the_first_stride_only = mistake.edited(
    "torch.from_numpy(a)",
    "torch.from_numpy(a if a.ndim and a.strides[0] < 0 else a.copy() if min(a.strides, default=0) < 0 else a)",
    "An array with its columns reversed was copied instead of refused: any axis may have the negative stride, so let the "
    "error of torch.from_numpy pass.")

owned_by_adding_zero = mistake.edited("return torch.from_numpy(a.copy())", "return torch.from_numpy(np.asarray(a + 0))",
    "Booleans became integers, as arithmetic makes them: a.copy() keeps every dtype.")


clone_comes_after_reading = mistake.edited(
    "return torch.from_numpy(a.copy())",
    "return torch.from_numpy(a).clone()",
    "PyTorch reads the array before the copy is made, so it warns about a read-only array and refuses negative "
    "strides. Copy on NumPy's side first.")


@alternative()
def a_view_and_two_copies():
    """A view of the array shares; NumPy copies into ordinary order and torch.asarray copies once more."""

    def as_shared(a):
        return torch.from_numpy(a[...])

    def as_owned(a):
        return torch.asarray(np.array(a, order="C"), copy=True)

    return {"as_shared": as_shared, "as_owned": as_owned}


@alternative()
def filled_by_copy():
    """as_tensor shares; an empty tensor filled from NumPy's side owns."""

    def as_shared(a):
        return torch.as_tensor(a)

    def as_owned(a):
        mine = torch.empty(a.shape, dtype=torch.from_numpy(np.zeros(0, a.dtype)).dtype)
        mine.numpy()[...] = a
        return mine

    return {"as_shared": as_shared, "as_owned": as_owned}
