"""Say in plain words what PyTorch's and Python's error messages mean for the learner's own code."""

from __future__ import annotations

import re
from typing import Any

_MEANINGS: tuple[tuple[str, str], ...] = (
    ("grad can be implicitly created only for scalar", "backward needs one number to differentiate: reduce with sum or mean, or pass an upstream gradient."),
    ("a leaf Variable that requires grad is being used in an in-place", "A tensor that requires grad is changed in place: make a new one, or, for the update of a parameter, wrap it in torch.no_grad()."),
    ("modified by an inplace operation", "A value that backward still needs was overwritten in place; make a new tensor (x = x + 1, not x += 1)."),
    ("does not require grad and does not have a grad_fn", "There is no graph here: the input does not require grad, or detach, .item(), .data or no_grad cut it."),
    ("backward through the graph a second time", "The first backward freed the graph; run the forward again, or keep it with retain_graph=True."),
    ("differentiated Tensors? .*appears to not have been used", "The output does not depend on this input; allow_unused=True gives None for it."),
    ("returned an incorrect number of gradients", "backward returns one thing for each argument of forward, in order; None for what has no gradient."),
    ("returned an invalid gradient", "A gradient has the shape of its input; look at which axes have to be summed or transposed."),
    ("mat1 and mat2 shapes cannot be multiplied", "In A @ B the last axis of A meets the first of B; one of them wants a transpose."),
    ("Expected size for first two dimensions of batch2", "In A @ B the last axis of A meets the last but one of B, in each item of the batch; one of them wants a transpose."),
    ("must match the size of tensor b", "Broadcasting compares shapes from the right: sizes must be equal, or one of them 1."),
    ("shape mismatch", "Two shapes do not fit; print both and compare them from the right."),
    ("view size is not compatible", "view needs elements in memory order, which transpose and slices break; reshape copies when it has to."),
    ("is invalid for input of size", "The new shape has another number of elements than the old one."),
    ("Expected all tensors to be on the same device|is not on the expected device", "One tensor was left on another device; make new tensors on the input's device (device=x.device)."),
    ("expected scalar type", "Two tensors have different dtypes; make both the dtype of the input."),
    ("(must|to) have the same dtype", "Two tensors have different dtypes; make both the dtype of the input."),
    ("can't convert .* device type tensor to numpy", "NumPy reads CPU memory only: .detach().cpu().numpy()."),
    ("Can't call numpy\\(\\) on Tensor that requires grad", "A tensor in a graph must be detached before NumPy may read it: .detach().numpy()."),
    ("Inference tensors cannot be saved for backward", "inference_mode made tensors that training cannot use; no_grad makes ones that it can."),
    ("save_for_backward can only save variables", "save_for_backward takes tensors only; numbers and shapes go on ctx itself."),
    ("[oO]nly Tensors of floating point", "Only floating tensors can require grad; make it float first."),
    ("Boolean value of Tensor with more than one value is ambiguous", "`if` asks for one truth value, and a tensor has many: use .all(), .any(), or torch.where."),
    ("only one element tensors can be converted to Python scalars", ".item() needs exactly one element; reduce first, or index."),
    ("a Tensor with .* elements cannot be converted to Scalar", ".item() needs exactly one element; reduce first, or index."),
    ("Dimension out of range", "There is no such axis; axes count from 0, or from -1 backwards."),
    ("expects? .*Long|expected .*Long|must be long|[Ee]xpected dtype int(32/int)?64", "Indices and class labels are int64: .long()."),
    ("cannot assign (module|parameter)s? before Module.__init__", "Call super().__init__() first; it builds the tables that hold layers and parameters."),
    ("'(int|float|complex|bool)' object has no attribute", "A plain number stands where a tensor is expected: f may return one, and .item() makes one."),
    ("'tuple' object has no attribute|'tuple' and '|and 'tuple'", "A tuple stands where a tensor is expected. ctx.saved_tensors is always one: write (x,) = ctx.saved_tensors."),
    ("len\\(\\) of a 0-d tensor|iteration over a 0-d tensor", "A 0-dim tensor has no length and no elements to go through; x.reshape(-1) has one, x.numel() counts."),
    ("invalid combination of arguments", "A function of PyTorch got arguments of another kind, or another number of them, than it takes."),
    ("'NoneType' object has no attribute|'NoneType' object is not|operand type.* 'NoneType'|NoneType", "Something is None here: a function without return, or a .grad that backward has not filled."),
    ("not enough values to unpack|too many values to unpack", "The number of names on the left is not the number of values on the right."),
    ("missing \\d+ required positional argument", "A call leaves an argument out; compare it with the signature."),
    ("got an unexpected keyword argument", "A call uses a keyword that the function does not have; compare it with the signature."),
    ("takes .* positional arguments? but .* (was|were) given", "A call has more arguments than the function takes; a method needs self as its first."),
    ("object of type '(generator|map|filter|zip|dict_values|.*iterator)' has no len|'(generator|map|filter|zip|.*iterator)' object is not subscriptable", "A generator has no length and no positions: go through it with a plain for loop, or make a list of it first."),
    ("not compiled with CUDA|No CUDA GPUs|Found no NVIDIA", "The code names \"cuda\", and this machine has none: take the device from the input or the model."),
    ("object on a CUDA device but", "The file was saved on another device: torch.load(..., map_location=\"cpu\") reads it anywhere."),
    ("out of meta tensor|on meta tensors|a meta tensor", "\"meta\" tensors have no values to read: compute with tensors, without .item(), int(...) or `if`."),
    ("following scalar types: Long", "Indices and class labels are int64: a batch was cast to a floating dtype on the way, or never made whole numbers."),
    ("does not match the length of the desired ordering", "permute names every axis, and here the number of axes is another one: count the axes from the end."),
    ("non-empty TensorList|non-empty list of Tensors", "There was nothing to stack or to concatenate: treat the empty case on its own."),
    ("RNG state must be a torch.ByteTensor", "The state of the random generator belongs on the CPU: do not move it to another device (map_location=\"cpu\")."),
    ("too many indices for tensor|IndexError: too many", "The tensor has fewer axes than that: a squeeze, an index or a reduction took one away."),
    ("Expected more than 1 value per channel when training", "In train mode batch norm needs more than one sample in a batch: a model that is only measured belongs in eval mode."),
    ("already been called since the last update", "The scaler was not told that the step is over: call scaler.update() once after each step."),
    ("Error\\(s\\) in loading state_dict", "The names or shapes of parameters and buffers are not those that were saved: print state_dict() of both."),
    ("must be a matrix|must be (1|2|3)D tensors|[12]D tensors expected|only supports \\dD|vector, matrix expected", "This function takes a fixed number of axes; @ and matmul take any number of leading ones."),
    ("forward gradient that has a different size", "A forward gradient has the shape of its input: to weight outputs, hand the weights to grad or backward."),
    ("is not iterable", "A single value stands where several are expected."),
    ("must implement the (forward|backward|setup_context)", "The class has no such method: its `def` stands below `class`, indented by four spaces, and spelled exactly so."),
    ("'function' object has no attribute 'apply'", "The exercise asks for a class that is derived from torch.autograd.Function; here a function has its name."),
    ("reading from stdin|EOF when reading a line", "input() waits for somebody to type, and nobody does in a test: what is needed arrives in the arguments."),
    ("maximum recursion depth", "A function calls itself too deep, without an end or more than some thousand times: a loop with a list of its own goes deeper."),
)


def _of_pasted_text(text: str, code: str) -> str | None:
    """What stands in a file that is not, or not only, Python."""
    if code.startswith(("<<<<<<<", "=======", ">>>>>>>")):
        return "These are the marks of a git merge conflict: keep one of the two versions, delete the other and the marks."
    if code.startswith(("%", "!")):
        return "Lines that begin with % or ! work in notebooks only; remove them."
    if code.startswith("```"):
        return "``` marks code in a chat or in Markdown; keep only the Python code between the marks."
    if word := re.search("name '(null|none|true|false)' is not defined", text):
        of_a_notebook = r"\{|\"(execution_count|collapsed|scrolled|trusted|editable|deletable)\""
        if re.match(of_a_notebook, code) or (word[1] == "null" and not code):
            return "The file holds a notebook (JSON), not Python: copy the code of its cells into the file."
        return f"Python spells it {'None' if word[1] == 'null' else word[1].capitalize()}."
    if "null bytes" in text or "can't decode byte" in text or "Non-UTF-8" in text or "invalid non-printable" in text:
        return "The file is not plain UTF-8 text (an image, another encoding?): write it anew in your editor as UTF-8."
    if "outside function" in text:
        return "The line is indented less than the function that it belongs to."
    return None


def explain_error(raised: dict[str, Any] | None) -> str | None:
    """What an error (as data: type, text, line ...) most likely means; None when it is not a known one."""
    if not raised:
        return None
    if raised.get("missing"):
        return f"Define {raised['missing']} in the file, spelled exactly so."
    text, kind = str(raised.get("text", "")), raised.get("type")
    if kind in ("SyntaxError", "IndentationError", "NameError"):
        found = _of_pasted_text(text, str(raised.get("code", "")))
        if found:
            return found
    if kind == "NameError":
        return "A name is used that was never defined: a typing error, or a missing import."
    if kind == "ModuleNotFoundError":
        return "The module is not installed here, or its name is misspelled; the exercise needs torch alone."
    if kind == "SystemExit":
        return "exit() ends the whole program; return from the function instead."
    if kind == "MemoryError" or "can't allocate memory" in text:
        return "The code asks for far more memory than the task needs; print the shapes on the way and look for one that is too large."
    if kind == "OSError" and "File too large" in text:
        return "The code writes or prints more than is kept; print less, perhaps only shapes."
    if kind == "IndentationError" or kind == "TabError":
        return "Python reads indentation: use four spaces for each level, in all lines of a block."
    if keys := re.search(r"(Missing|Unexpected) key\(s\) in state_dict: (\"[^\"]+\")", text):
        has, wants = ("lacks", "has it") if keys[1] == "Missing" else ("holds", "has none of that name")
        return f"The saved state {has} {keys[2]}, and the module that reads it {wants}. Only what is an nn.Parameter, a buffer or a module is saved and loaded."
    for pattern, meaning in _MEANINGS:
        if re.search(pattern, text):
            return meaning
    if kind == "SyntaxError" and text.startswith("invalid syntax"):
        return "Python stumbled here; what is missing (a comma, a bracket, a quote) is often at the end of the line before."
    if attribute := re.search(r"'(\w+)' object has no attribute '(\w+)'", text):
        return f"A {attribute[1]} has no `{attribute[2]}`: another object is expected there, or the name is spelled in another way."
    return None
