"""Say in plain words what PyTorch's and Python's error messages mean for the learner's own code."""

from __future__ import annotations

import ast
import difflib
import keyword
import re
import sys
from typing import Any

from torchdojo.explain.error_meanings import MEANINGS
from torchdojo.explain.limits import explain_limit
from torchdojo.wire.outcome import Raised
from torchdojo.worker.raised import CHECKS


def _of_pasted_text(text: str, code: str) -> str | None:
    """What a file contains that is not, or not only, Python."""
    if code.startswith(("<<<<<<<", "=======", ">>>>>>>")):
        return "These are the markers of a git merge conflict: keep one of the two versions, and delete the other and the markers."
    if re.match(r">>> |\.\.\. |In \[\d*\]:", code):
        return "The line starts with the prompt of an interactive Python session: copy only what comes after it."
    if code.startswith(("%", "!")):
        return "Lines that start with % or ! work only in notebooks: remove them."
    if code.startswith("```"):
        return "``` marks code in a chat or in Markdown; keep only the Python code between the marks."
    if word := re.search("name '(null|none|true|false)' is not defined", text):
        of_a_notebook = r"\{|\"(execution_count|collapsed|scrolled|trusted|editable|deletable)\""
        if re.match(of_a_notebook, code) or (word[1] == "null" and not code):
            return "The file holds a notebook (JSON), not Python: copy the code of its cells into the file."
        return f"Python spells it {'None' if word[1] == 'null' else word[1].capitalize()}."
    if "null bytes" in text or "can't decode byte" in text or "Non-UTF-8" in text:
        return "The file is not plain UTF-8 text (it may be an image, or in another encoding): save it in your editor as UTF-8."
    if "invalid non-printable" in text:
        return "This line contains an invisible character, which often comes with text from a web page or a chat: retype the line's spaces."
    if re.search("invalid character '[\u2018\u2019\u201c\u201d\u00ab\u00bb]'", text):
        return "Python's quotation marks are straight, ' or \"; those of a word processor, a web page or a chat are different."
    if "outside function" in text:
        return "The line is indented less than the function it belongs to."
    return None


def _of_the_check(kind: Any, text: str) -> str | None:
    """What a check or a test did not find in the result of the learner's code."""
    if kind == "IndexError" and re.search("(list|tuple) index out of range|pop from empty list", text):
        return "Your code ran to the end, but its result lacks something: an entry is missing, or something was not called."
    if kind == "KeyError":
        return f"Your code ran to the end, but its result has no entry {text}: compare its names with those the exercise asks for."
    return UNUSABLE if re.search(OF_RESULTS, text) else None


OF_SIZES = (
    "must match|cannot be multiplied|shape mismatch|first two dimensions of batch2|expanded size|equal size|broadcast shape|number of dimensions"
    "|out of bounds|index out of range|shape of the mask|sizes provided|repeat dims"
)
"""Errors about sizes that don't fit: they say where it shows, rarely where it comes from."""
OF_RESULTS = f"{OF_SIZES}|Dimension out of range|too many indices|is invalid for input of size|doesn't match the broadcast shape|values to unpack"
UNUSABLE = "Your code ran to the end, but the check can't use what it returned: a shape, or the number of entries, is wrong there."


def _of_a_shadow(name: str) -> str:
    """Something else has the name of one of Python's own functions."""
    own = name.removeprefix("torch.")
    if own == name:
        return f"`{name}` is not Python's own here: something of yours has that name. Rename yours."
    return f"`{own}` is PyTorch's here, not Python's own: an import such as `from torch import *` replaced it. Write `import torch`, and {name} where you mean PyTorch's."


_TUPLES = "'tuple' object has no attribute|'tuple' and '|and 'tuple'|must be Tensor, not tuple|unary .: 'tuple'|can only concatenate tuple (?!.not .list)"


def _of_tuples(text: str, where: str, code: str) -> str | None:
    """A tuple instead of a tensor. In a backward it is most often ctx.saved_tensors."""
    repeated = "converted to an index" in text and re.search(r"(?<!\*)\*(?!\*)", code) is not None  # a tensor times a tuple
    if not repeated and not re.search(_TUPLES, text):
        return None
    if where == "backward":
        return "A tuple is used where a tensor is expected. ctx.saved_tensors is always a tuple, even with one tensor: (x,) = ctx.saved_tensors takes x out."
    if repeated:
        return "`*` repeats a tuple or a list, which needs an integer: take the tensor out of the tuple first, or make a tensor of the list."
    if "concatenate" in text:
        return "The left side of + is a tuple, which can only be joined to a tuple: take out the entry that you mean. max and sort along an axis return tuples, and shapes are tuples."
    if re.search("unsupported operand.*('int' and 'tuple'|'tuple' and 'int')", text):
        return "An integer is combined with a tuple: take out the entry that you mean. Shapes are tuples, and so is an argument that is given as a pair."
    return "A tuple is used where a tensor is expected: (x,) = ... takes x out. torch.autograd.grad, chunk and unbind return tuples, and a comma at the end of a line creates one."


def misspelt_keyword(line: str) -> tuple[str, str] | None:
    """A word and the keyword with which a line is valid Python that isn't valid with the word; None if there is none."""
    for word in re.finditer(r"\b[a-z]{2,}\b", line):
        for near in difflib.get_close_matches(word[0], keyword.kwlist, n=3, cutoff=0.6):
            if near != word[0] and _is_valid(line[: word.start()] + near + line[word.end() :]):
                return word[0], near
    return None


def _is_valid(line: str) -> bool:
    """Is this a line of Python, or the head of a block?"""
    for start in ("", "if x: pass\n", "try: pass\n"):
        for end in ("", " pass"):
            try:
                ast.parse(start + line + end)
                return True
            except (SyntaxError, ValueError, MemoryError, RecursionError):
                continue
    return False


def of_hidden_file(file: str) -> str:
    """What to do about a file beside an exercise that Python does not import, since it knows another module of that name."""
    name = file.removesuffix(".py")
    whose = "of Python" if name in sys.stdlib_module_names else "of an installed package"
    return f"Your {file} is not imported: `{name}` is also the name of a module {whose}, which takes precedence. Rename {file} to my_{file}, and change the import."


def explain_error(raised: Raised | None) -> str | None:
    """What an error most likely means; None when it is not a known one."""
    if raised is None:
        return None
    if raised.missing:
        return f"Define {raised.missing} in the file, with exactly this name."
    if raised.hidden:
        return of_hidden_file(raised.hidden)
    if raised.shadowed:
        return _of_a_shadow(raised.shadowed)
    text, kind = raised.text, raised.type
    if kind in ("SyntaxError", "IndentationError", "NameError") or "null bytes" in text:  # a ValueError in Python 3.10
        found = _of_pasted_text(text, raised.code)
        if found:
            return found
    if kind == "NameError":
        return "A name is used that was never defined: check for a typo or a missing import."
    if kind == "ModuleNotFoundError":
        if "is not a package" in text:
            return "The part before the last dot is a file, not a package: import from the file itself."
        return "The module is not installed here, and no file of that name is next to the exercise. Check the spelling, and submit your own modules in the exercise's folder."
    if kind == "SystemExit":
        return "exit() ends the whole program; return from the function instead."
    if limit := explain_limit(raised):
        return limit
    if kind == "IndentationError" or kind == "TabError":
        return "Python reads indentation: use four spaces for each level, in all lines of a block."
    if keys := re.search(r"(Missing|Unexpected) key\(s\) in state_dict: (\"[^\"]+\")", text):
        has, wants = ("lacks", "has it") if keys[1] == "Missing" else ("holds", "has none of that name")
        return f"The saved state {has} {keys[2]}, but the module that loads it {wants}. Only parameters (nn.Parameter), buffers and submodules are saved and loaded."
    in_check = raised.traced and not raised.line and (not raised.within or raised.within.startswith(CHECKS))  # and in no helper of theirs
    if in_check and (lacking := _of_the_check(kind, text)):
        return lacking
    if tuples := _of_tuples(text, raised.where, raised.code):
        return tuples
    for pattern, meaning in MEANINGS:
        if re.search(pattern, text):
            return meaning
    if kind == "KeyError":
        return "A dict has no such key: print its keys, and check where they are set."
    if kind == "StopIteration":
        return "An iterator has no items left: a generator yields its items only once."
    if kind == "FileNotFoundError":
        return "There is no such file here. Grading takes only Python files from the exercise's folder: put data into the code, or save the file before you read it."
    if kind == "SyntaxError" and text.startswith(("invalid syntax", "expected")) and (words := misspelt_keyword(raised.code)):
        return f"`{words[0]}` is probably misspelled: with `{words[1]}` this line is valid."
    if kind == "SyntaxError" and text.startswith("invalid syntax"):
        return "Python could not parse this. What is missing (a comma, a bracket, a quote) is often at the end of the line before."
    if attribute := re.search(r"'([\w.]+)' object has no attribute '([^\W\d]\w*)'", text):
        kind, name = attribute[1], attribute[2]
        if kind.endswith("Backward"):  # the ctx of a torch.autograd.Function
            return f"ctx has no `{name}` here: set it in forward or setup_context (ctx.{name} = ...), and leave it there, since backward may run twice."
        if kind[0].isupper() and kind not in ("Tensor", "Parameter", "Size", "Generator"):
            return f"{kind} has no `{name}`: set it in __init__ (self.{name} = ...), or check its spelling and which object it belongs to."
        article = "An" if kind[0] in "aeiou" else "A"
        return f"{article} {kind} has no `{name}`: a different object is expected there, or the name is misspelled."
    if module := re.search(r"^module '([\w.]+)' has no attribute '(\w+)'", text):
        return f"{module[1]} has no `{module[2]}`: check its spelling, and which module it is in."
    if kinds := re.search(r"unsupported operand type\(s\) for ([^:]+): '([\w.]+)' and '([\w.]+)'|'([<>=]+)' not supported between instances of '([\w.]+)' and '([\w.]+)'", text):
        sign, left, right = kinds[1] or kinds[4], kinds[2] or kinds[5], kinds[3] or kinds[6]
        return f"`{sign.split(' ')[0]}` does not work between {left} and {right}: one of the two has the wrong type."
    if called := re.search(r"'([\w.]+)' object is not callable", text):
        return f"A {called[1]} is called like a function: you wrote ( ) instead of [ ], or a variable of yours hides a function."
    return None
