"""A place in an answer, in words: 'gradient of x: ', 'result[0]: ', 'weight after step 2: '."""

from __future__ import annotations

import re

JOINS = (
    (r"\A\.", ", "),
    (r"\A\[(\d+)\]:", r", entry \1:"),
    (r"\A\[(\d+)\]\.", r", entry \1, "),
    (r"\A\[", ", entry ["),
)


def named(path: str) -> str:
    """The path as learners read it, with a colon; '' for the bare result."""
    said = re.sub(r"\b(step \d+)\.([^.]+)$", r"\2 after \1", f"result{path}" if path.startswith("[") else path)
    return re.sub(r"\b(of|in|on|for)\.", r"\1 ", f"{said}: ") if said else ""


def set_off(sentence: str, name: str) -> str:
    """The sentence with a comma after a name of several words: 'channels last, contiguous: ...', 'rows given, entry 0: ...'."""
    rest = sentence.removeprefix(name)
    if " " not in name or re.fullmatch(r"\w+ \d+", name) or rest == sentence:  # 'call 2.weight' reads well as it is
        return sentence
    for join, words in JOINS:
        rest = re.sub(join, words, rest)
    return name + rest
