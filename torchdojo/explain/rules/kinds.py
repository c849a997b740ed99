"""Symptoms in what kind of thing came back: None, a number for a tensor, one word for another."""

from __future__ import annotations

import re

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.topics import Topic, speaks_of
from torchdojo.judge.compare import Difference, kind_of
from torchdojo.wire.strict import Foreign, SeenTensor


def of_plain(difference: Difference) -> Cause | None:
    """From one word or number against another."""
    got, want, path = difference.got, difference.want, difference.path
    if isinstance(got, bool) and isinstance(want, bool) and speaks_of(path, Topic.REQUIRES_GRAD_FLAG):
        if want:
            said = "It does not require grad: it was never asked to, or detach, .data, .item(), no_grad or a new tensor cut it off."
            return Cause(Kind.DETACHED, said)
        return Cause(Kind.GRAPH_KEPT, "A graph is still attached: compute it under torch.no_grad(), or detach the result.")
    return None


def of_type(difference: Difference) -> Cause | None:
    got, want, path = difference.got, difference.want, difference.path
    if got is None and speaks_of(path, Topic.GRAD) and speaks_of(path, Topic.BEFORE):
        return Cause(Kind.CHANGED, "The .grad from before was cleared, and it belongs to the caller: leave it as it is.")
    if got is None and speaks_of(path, Topic.GRAD) and isinstance(want, SeenTensor):
        said = "No gradient arrives there: .detach(), .item(), .data or torch.tensor(...) on the way cuts the graph."
        return Cause(Kind.DETACHED, said)
    if got is None and path.endswith("]") and isinstance(want, SeenTensor):
        return Cause(Kind.NONE, "None stands at this place: it was never computed, or a function ends without `return`.")
    if got is None:
        return None if path else Cause(Kind.NONE, "A branch of the function ends without `return`.")
    if want is None and isinstance(got, SeenTensor) and speaks_of(path, Topic.GRAD_ATTRIBUTE):
        said = "There is a .grad where None belongs: it was not cleared, or filled, as backward() does for every leaf that it meets (torch.autograd.grad does not); zeros are not None."
        return Cause(Kind.STAYS, said)
    if want is None and speaks_of(path, Topic.NOTHING_RETURNED):
        return Cause(Kind.RETURNED, "Something is returned where None is asked for: leave out the `return`.")
    if want is None and (speaks_of(path, Topic.GRAD) or speaks_of(path, Topic.RETURN)):
        return Cause(Kind.NOT_NONE, "There is a gradient where none belongs: None says that there is none, zeros say that it is zero.")
    if isinstance(want, SeenTensor) and isinstance(got, Foreign) and re.search(r" torch\.sparse_\w+ on ", got.text):
        return Cause(Kind.SPARSE, "A sparse tensor came back, which holds some of its elements only, where one that holds them all is asked for: to_dense() makes it.")
    if isinstance(want, SeenTensor) and isinstance(got, Foreign) and (other := re.search(r"torch\.strided on (\w+)", got.text)):
        said = f"It lies on the device “{other[1]}”: it was made on the default device, which the caller may have set to another one. Name the device where a tensor is made."
        return Cause(Kind.DEVICE, said)
    if isinstance(want, SeenTensor) and isinstance(got, (int, float)) and not want.data.is_floating_point():
        return Cause(Kind.ITEM, "A plain Python number came back where a tensor is asked for: `.item()`, `int(...)` and NumPy give numbers, torch.tensor(...) makes a tensor of one.")
    if isinstance(want, SeenTensor) and isinstance(got, (int, float)):
        return Cause(Kind.ITEM, "`.item()` or `float(...)` turned the tensor into a Python number, which cuts it from the graph.")
    if isinstance(want, (int, float)) and isinstance(got, SeenTensor) and got.data.numel() == 1:
        return Cause(Kind.TENSOR, "A tensor with one element came back where a plain Python number is asked for: `.item()` gives it.")
    if isinstance(got, str) and not isinstance(want, (str, bool, int, float, list, tuple, dict)) and want is not None:
        said = f"A string came back, which only looks like {kind_of(want)}: give the object itself, without str(...) or quotation marks."
        return Cause(Kind.STRING, said)
    if isinstance(got, tuple) and len(got) == 1 and not isinstance(want, (tuple, list)):
        return Cause(Kind.COMMA, "A tuple of one came back, where its entry is asked for: [0] takes it out, and a comma at the end makes such a tuple.")
    if isinstance(want, int) and isinstance(got, float):
        return Cause(Kind.DIVISION, "A float is no int, even when nothing is left over: `/` always gives a float, `//` of integers an int, and so does int(...).")
    if isinstance(want, (list, tuple, dict)) and isinstance(got, Foreign):
        kind, name = type(want).__name__, got.type_name.rsplit(".", 1)[-1]
        made = f": `{kind}(...)` makes one" if name in ("generator", "map", "filter", "zip", "dict_values", "dict_keys", "dict_items", "range") else ""
        return Cause(Kind.CONTAINER, f"An object of type {name} came back, where a {kind} is asked for{made}.")
    if isinstance(want, (list, tuple)) and isinstance(got, (list, tuple)):
        return Cause(Kind.CONTAINER, f"A {type(want).__name__} is asked for: `{type(want).__name__}(...)` makes one.")
    return None
