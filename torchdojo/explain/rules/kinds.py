"""Symptoms in the type of an answer: None, a number for a tensor, one word for another."""

from __future__ import annotations

from torchdojo.explain.cause import Cause, Kind
from torchdojo.judge.compare import Difference, compare, kind_of
from torchdojo.wire.strict import Foreign, SeenTensor


def of_type(difference: Difference) -> Cause | None:
    got, want = difference.got, difference.want
    if isinstance(want, SeenTensor) and want.is_array:
        return _of_array(got)
    if got is None:
        return None
    if want is None and isinstance(got, SeenTensor) and not bool(got.data.any()):
        return Cause(Kind.NOT_NONE, "None is expected here, and zeros are not None: for a gradient, None means that there is none, and zeros mean that it is zero.")
    if isinstance(want, SeenTensor) and isinstance(got, Foreign) and got.layout.startswith("sparse_"):
        return Cause(Kind.SPARSE, "This is a sparse tensor, but a dense one is expected: convert it with to_dense().")
    if isinstance(want, SeenTensor) and isinstance(got, Foreign) and got.layout == "strided":
        said = f"It is on the device “{got.device.partition(':')[0]}”, which may be the caller's default device: pass device= when you create a tensor."
        return Cause(Kind.DEVICE, said)
    if isinstance(want, SeenTensor) and isinstance(got, (int, float)) and not want.data.is_floating_point():
        return Cause(Kind.ITEM, "This is a plain Python number, but a tensor is expected: `.item()`, `int(...)` and NumPy give numbers; torch.tensor(...) turns a number into a tensor.")
    if isinstance(want, SeenTensor) and isinstance(got, (int, float)):
        return Cause(Kind.ITEM, "This is a plain Python number, but a tensor is expected: `.item()` and `float(...)` make one, which has no graph.")
    if isinstance(want, (int, float)) and isinstance(got, SeenTensor) and got.data.numel() == 1:
        kind = "NumPy array" if got.is_array else "tensor"
        return Cause(Kind.TENSOR, f"This is a {kind} with one element, but a plain Python number is expected: use `.item()`.")
    if isinstance(got, str) and not isinstance(want, (str, bool, int, float, list, tuple, dict)) and want is not None:
        said = f"This is a string that only looks like {kind_of(want)}: return the object itself, without str(...) or quotation marks."
        return Cause(Kind.STRING, said)
    if isinstance(got, tuple) and len(got) == 1 and not isinstance(want, (tuple, list)) and compare(got[0], want) is None:
        return Cause(Kind.COMMA, "This is a tuple with one entry, but the entry itself is expected: [0] takes it out. A trailing comma creates such a tuple.")
    if isinstance(want, int) and isinstance(got, float):
        return Cause(Kind.DIVISION, "A float is not an int, even if its value is whole: `/` always gives a float; `//` of integers and int(...) give an int.")
    if isinstance(want, (list, tuple)) and isinstance(got, (int, float)) and not isinstance(got, bool):
        return Cause(Kind.CONTAINER, f"This is a single number, but a {type(want).__name__} with {len(want)} {'entry' if len(want) == 1 else 'entries'} is expected.")
    if isinstance(want, (list, tuple)) and isinstance(got, SeenTensor) and got.is_array:
        return Cause(Kind.CONTAINER, f"This is a NumPy array, but a {type(want).__name__} is expected: `.tolist()` makes a list.")
    if isinstance(want, (list, tuple, dict)) and isinstance(got, Foreign):
        kind, name = type(want).__name__, got.type_name.rsplit(".", 1)[-1]
        made = f": `{kind}(...)` makes one" if name in ("generator", "map", "filter", "zip", "dict_values", "dict_keys", "dict_items", "range") else ""
        return Cause(Kind.CONTAINER, f"This is an object of type {name}, but a {kind} is expected{made}.")
    if isinstance(want, (list, tuple)) and isinstance(got, (list, tuple)):
        return Cause(Kind.CONTAINER, f"A {type(want).__name__} is expected: `{type(want).__name__}(...)` makes one.")
    return None


def _of_array(got: object) -> Cause | None:
    """Where a NumPy array is expected."""
    if isinstance(got, SeenTensor):
        return Cause(Kind.CONTAINER, "This is a tensor, but a NumPy array is expected: `.numpy()` gives one.")
    if isinstance(got, (list, tuple)):
        return Cause(Kind.CONTAINER, f"This is a {type(got).__name__}, but a NumPy array is expected: `np.array(...)` makes one.")
    return None
