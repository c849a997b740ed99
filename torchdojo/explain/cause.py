"""A likely cause: its kind, and the sentence for the learner. No code reads the sentence back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum


class Kind(str, Enum):
    """Kinds of causes."""

    ALL_REDUCED = "all reduced"
    AXIS_LEFT = "axis left"
    AXIS_LOST = "axis lost"
    BIAS = "bias"
    CHANGED = "changed"
    COMMA = "comma"
    COMPLEMENT = "complement"
    CONTAINER = "container"
    COUNT = "count"
    DEVICE = "device"
    DIVISION = "division"
    DTYPE = "dtype"
    EMPTY = "empty"
    ENTRIES = "entries"
    ERROR = "error"
    EXCHANGED = "exchanged"
    EXPLAINED = "explained"
    FACTOR = "factor"
    FLATTENED = "flattened"
    FLOAT32 = "float32"
    FUNCTION = "function"
    INF = "inf"
    INPUT = "input"
    INTEGER_BUFFER = "integer buffer"
    INVERSE = "inverse"
    ITEM = "item"
    KEEPDIM = "keepdim"
    KEPT = "kept"
    MARKED = "marked"
    MASKED_NAN = "masked nan"
    MISSING = "missing"
    MISTAKE = "mistake"
    MODE = "mode"
    MOVED = "moved"
    NAN = "nan"
    NO_ERROR = "no error"
    NOT_CLEARED = "not cleared"
    NOT_EXPANDED = "not expanded"
    NOT_NONE = "not none"
    OFFSET = "offset"
    OPPOSITE = "opposite"
    ORDER = "order"
    ORDER_OF_STEPS = "order of steps"
    OTHER_DIM = "other dim"
    OTHER_NAME = "other name"
    OVERFLOW = "overflow"
    PLACES = "places"
    PRECISION = "precision"
    PRODUCT = "product"
    PYPLOT = "pyplot"
    QUESTION = "question"
    RANDOM = "random"
    RANGE = "range"
    REPAIR = "repair"
    RETURN = "return"
    RUNNING_STATISTICS = "running statistics"
    SHARES = "shares"
    SIGN = "sign"
    SPARSE = "sparse"
    STATE = "state"
    STEP = "step"
    STRING = "string"
    SURPLUS = "surplus"
    TABLE = "table"
    TENSOR = "tensor"
    TERM = "term"
    TOO_OFTEN = "too often"
    TOO_SELDOM = "too seldom"
    TRANSPOSED = "transposed"
    UNBROADCAST = "unbroadcast"
    UNUSED = "unused"
    ZERO = "zero"


FACTS = frozenset((Kind.BIAS, Kind.COMPLEMENT, Kind.FACTOR, Kind.INPUT, Kind.INVERSE, Kind.OFFSET, Kind.PLACES, Kind.PRODUCT, Kind.SIGN, Kind.TERM))
"""Kinds that say what the numbers show, or where, and nothing of the code: they are facts, not causes."""


@dataclass(frozen=True)
class Cause:
    """A cause of one kind, in a sentence."""

    kind: Kind
    sentence: str

    @property
    def is_fact(self) -> bool:
        """Does it only say what the answers show?"""
        return self.kind in FACTS

    def after(self, words: str, goes_on: bool = False) -> Cause:
        """The same cause after an introduction; goes_on: the introduction starts its sentence."""
        rest = self.sentence[:1].lower() + self.sentence[1:] if goes_on else self.sentence
        return replace(self, sentence=f"{words} {rest}")
