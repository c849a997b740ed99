"""Hidden checks for vocabulary, encode and decode."""

import torch

from torchdojo.grading import check

CONCEPTS = ("B01", "B13", "L01")

TEXTS = ["banana", "to be or not to be", "Zebra, ape!", "x"]
IDS = [{"a": 0, "b": 1, "n": 2}, {"n": 0, "a": 1, "b": 2}, {"b": 40, "n": 7, "a": 11}]


class oracle:
    """Counts and searches."""

    def vocabulary(text):
        return {c: len({d for d in text if d < c}) for c in sorted(set(text))}

    def encode(text, ids):
        return torch.stack([torch.tensor(ids[c]) for c in text])

    def decode(tokens, ids):
        return "".join(c for t in tokens.tolist() for c, i in ids.items() if i == t)


@check(points=2, text=TEXTS, devices=False)
def each_character_has_its_id(solution, text):
    """The ids count up in the sorted order of the characters."""
    return solution.vocabulary(text)


@check(points=2, text=["banana", "nab", "a"], ids=IDS, devices=False)
def a_text_is_encoded(solution, text, ids):
    """Each character gives its id, in the order of the text."""
    return solution.encode(text, dict(ids))


@check(points=2, tokens=["banana", "nab", "b"], ids=IDS)
def tokens_are_decoded(solution, tokens, ids, device):
    """Each id gives its character, whatever the ids are."""
    return solution.decode(torch.tensor([ids[c] for c in tokens], device=device), dict(ids))
