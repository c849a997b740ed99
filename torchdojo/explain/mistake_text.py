"""The known mistakes that a wrong answer behaves like, as a value. Only this module turns them into a sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torchdojo.variants import Variant

BESIDE = "Some other inputs go wrong in another way: there may be a second mistake."


@dataclass(frozen=True)
class Named:
    """Known mistakes that explain a failed check: one, or two that explain it only together. beside: some of its inputs show another."""

    mistakes: tuple[Variant, ...]
    beside: bool = False

    @property
    def only(self) -> Variant | None:
        """The mistake, if it is one."""
        return self.mistakes[0] if len(self.mistakes) == 1 else None

    @property
    def sentence(self) -> str:
        """The mistakes in their authors' words."""
        return self.told(lambda variant: variant.sentence)

    def told(self, words: Callable[[Variant], str]) -> str:
        """The sentence for a learner. words: gives the wording of each mistake."""
        if self.only is None:
            return "Two mistakes: " + " ".join(f"({n}) {words(one)}" for n, one in enumerate(self.mistakes, 1))
        return f"{words(self.only)} {BESIDE}" if self.beside else words(self.only)
