"""The pictures of 11_language_models."""

import math

import torch
from drawn import reference
from svg import BLUE, GRAY, MINT, ORANGE, SAND, Drawing

WORDS = ["the", "cat", "sat", "on", "mat"]


def perplexity() -> Drawing:
    """The probability of each word of a sentence, its bits, and what their mean is."""
    d, width = Drawing(), 62
    sentence, chances = ["cat", "sat", "on", "the", "mat"], [1 / 4, 1 / 2, 1 / 2, 1 / 2, 1 / 32]
    bits = [-math.log2(p) for p in chances]
    whole = reference("11_language_models/intro1").perplexity([-math.log(p) for p in chances], [1] * 5)
    for row, title in enumerate(("next word", "probability", "bits")):
        d.text(-10, 17 + 34 * row, title, anchor="end", size=13)
    d.grid(0, 0, [sentence], fill=GRAY, width=width)
    d.grid(0, 34, [[f"1/{1 / p:.0f}" for p in chances]], fill=SAND, width=width)
    d.grid(0, 68, [[f"{b:g}" for b in bits]], fill=MINT, width=width)
    low = 225
    for i, b in enumerate(bits):
        d.box((i + 0.2) * width, low - 20 * b, 0.6 * width, 20 * b, fill=MINT)
    mean = math.log2(whole)
    d.line([(-6, low - 20 * mean), (5 * width + 8, low - 20 * mean)], color=ORANGE, dashed=True, width=2)
    d.line([(-6, low), (5 * width + 8, low)])
    d.text(5 * width + 14, low - 20 * mean - 10, f"mean: {mean:g} bits", anchor="start", color=ORANGE)
    d.text(5 * width + 14, low - 20 * mean + 10, f"perplexity: {whole:g}", anchor="start", color=ORANGE)
    return d


def last_position() -> Drawing:
    """Three sequences with padding: the position that predicts the next word of each, and the last column."""
    d, width, height = Drawing(), 62, 30
    rows = [["the", "cat", "sat", "on", "the"], ["the", "mat", "(pad)", "(pad)", "(pad)"], ["the", "cat", "sat", "(pad)", "(pad)"]]
    lengths = torch.tensor([sum(word != "(pad)" for word in row) for row in rows])
    places = torch.arange(5).expand(3, 5)[..., None].double()
    right = reference("11_language_models/intro2").last_logits(places, lengths).flatten().long().tolist()
    color = lambda word, here: MINT if here else GRAY if word == "(pad)" else SAND  # noqa: E731
    fill = [[color(word, j == last) for j, word in enumerate(row)] for row, last in zip(rows, right, strict=True)]
    d.grid(0, 0, rows, fill=fill, width=width, height=height)
    for i, n in enumerate(lengths.tolist()):
        d.text(-10, (i + 0.5) * height, f"length {n}", anchor="end", size=13)
    d.line([(4.5 * width, 3 * height + 28), (4.5 * width, 3 * height + 4)], arrow=True, color=BLUE)
    d.text(4.5 * width, 3 * height + 38, "logits[:, -1]", color=BLUE, size=13)
    d.box(0, 3 * height + 31, 18, 14, fill=MINT)
    d.text(26, 3 * height + 38, "predicts the next word", anchor="start", size=12)
    return d


def merges() -> Drawing:
    """The tokens of a sentence before and after each of five merges."""
    d, width, height, solution = Drawing(), 21, 27, reference("11_language_models/ex01")
    sentence = "the cat sat on the mat"
    learned = solution.train_merges(sentence, 5)
    for count in range(6):
        x, y = 0.0, 38.0 * count
        for token in solution.encode_text(sentence, learned[:count]).tolist():
            piece = solution.decode_text(torch.tensor([token]), learned)
            fill = MINT if token == 255 + count else SAND if token > 255 else GRAY
            d.box(x, y, width * len(piece), height, piece.replace(" ", "\u2423"), fill=fill)
            x += width * len(piece)
        name = f"{255 + count}" if count else "bytes"
        d.text(-10, y + height / 2, name, anchor="end", size=13)
    return d


def lora() -> Drawing:
    """The shapes of a frozen weight, of the two matrices of its change, and of the merged weight."""
    d, unit = Drawing(), 18
    module = reference("11_language_models/ex03").LoRALinear(torch.nn.Linear(5, 6), rank=2, alpha=2.0)
    low = 6 * unit

    def matrix(x: float, shape: torch.Size, name: str, fill: str) -> float:
        rows, columns = shape
        d.grid(x, low / 2 - rows * unit / 2, [[""] * columns] * rows, fill=fill, width=unit, height=unit)
        d.text(x + columns * unit / 2, low + 18, name, size=13)
        return x + columns * unit + 22

    x = 0.0
    for p, name, fill, sign in (
        (module.base.weight, "weight, frozen", GRAY, "+"),
        (module.b, "b", MINT, "@"),
        (module.a, "a", MINT, "="),
        (module.merged().weight, "merged", SAND, ""),
    ):
        x = matrix(x, p.shape, name, fill)
        d.text(x, low / 2, sign, size=18)
        x += 22
    return d
