"""A likely cause: a sentence for the learner, and the kind of symptom that it speaks of."""

from __future__ import annotations


class Cause(str):
    """The sentence itself, with `kind`: a word for statistics, such as 'sign' or 'upstream'."""

    kind: str

    def __new__(cls, kind: str, sentence: str) -> Cause:
        cause = super().__new__(cls, sentence)
        cause.kind = kind
        return cause
