"""The pictures of 10_attention."""

import torch
from drawn import reference
from svg import CELL, GRAY, LILAC, MINT, SAND, SKY, Drawing

WORDS = ["the", "cat", "saw", "the", "dog", "(pad)", "(pad)"]


def scores_to_output() -> Drawing:
    """Two queries, three keys and values: scores, weights, and the weighted means."""
    d, width = Drawing(), 46
    q = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    k = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    v = torch.tensor([[10.0], [20.0], [30.0]])
    scores = q @ k.T
    weights = scores.softmax(dim=-1)
    numbers = lambda t, form: [[format(n, form) for n in row] for row in t.tolist()]  # noqa: E731
    middle = 1.5 * CELL
    d.grid(0, middle - CELL, numbers(scores, "g"), width=width, title="scores q @ k.T")
    d.text(3 * width + 42, middle - 12, "softmax", size=12)
    d.line([(3 * width + 10, middle), (3 * width + 74, middle)], arrow=True)
    at = 3 * width + 84
    d.grid(at, middle - CELL, numbers(weights, ".2f"), fill=SAND, width=width, title="weights")
    d.text(at + 3 * width + 18, middle, "@", size=18)
    d.grid(at + 3 * width + 38, 0, numbers(v, "g"), fill=LILAC, width=width, title="values")
    d.text(at + 4 * width + 58, middle, "=", size=18)
    d.grid(at + 4 * width + 80, middle - CELL, numbers(weights @ v, ".1f"), fill=MINT, width=width, title="output")
    for row in range(2):
        d.text(-8, middle - CELL + (row + 0.5) * CELL, f"query {row}", size=12, anchor="end")
    for column in range(3):
        d.text((column + 0.5) * width, middle + CELL + 12, f"key {column}", size=12)
        d.text(at + (column + 0.5) * width, middle + CELL + 12, f"key {column}", size=12)
    return d


def masks() -> Drawing:
    """Which keys each query may read: causal, padding, and both."""
    d, unit, mask = Drawing(), 22, reference("10_attention/ex03").attention_mask
    real = torch.tensor([[word != "(pad)" for word in WORDS]])
    everything, n = torch.ones_like(real), len(WORDS)
    shown = (("causal", mask(everything, True)), ("padding", mask(real, False)), ("causal & padding", mask(real, True)))
    for k, (title, allowed) in enumerate(shown):
        x = 60 + 200 * k
        rows = allowed.reshape(n, n).tolist()
        d.grid(
            x, 0, [[""] * n] * n, fill=[[MINT if v else GRAY for v in row] for row in rows], width=unit, height=unit, title=title
        )
        if k == 0:
            for i, word in enumerate(WORDS):
                d.text(x - 8, (i + 0.5) * unit, word, size=12, anchor="end")
        d.text(x + n * unit / 2, n * unit + 16, "keys, the same words", size=12)
    d.text(60, n * unit + 46, "queries are rows", size=12)
    for x, color, words in ((160, MINT, "may read"), (270, GRAY, "hidden")):
        d.box(x, n * unit + 39, 18, 14, fill=color)
        d.text(x + 26, n * unit + 46, words, size=12, anchor="start")
    return d


def heads() -> Drawing:
    """Three positions with eight features, split into four heads, and reshaped wrongly."""
    d, unit = Drawing(), 24
    x = torch.arange(24).reshape(1, 3, 8)
    colors = (SKY, SAND, MINT, LILAC)
    color = {value: colors[value % 8 // 2] for value in range(24)}
    split = reference("01_tensors/ex07").split_heads(x, 4)[0]
    wrong = x.reshape(4, 3, 2)

    def put(left: float, top: float, m: torch.Tensor, title: str = "") -> None:
        rows = m.tolist()
        d.grid(left, top, rows, fill=[[color[v] for v in row] for row in rows], width=unit, height=unit, title=title, size=11)

    put(0, 0, x[0], "x: 3 positions, 8 features")
    for row, (name, parts) in enumerate((("split, then transposed", split), ("reshaped directly", wrong))):
        top = 130 + 120 * row
        d.text(0, top + 1.5 * unit, name, anchor="start")
        for k, part in enumerate(parts):
            put(190 + 80 * k, top, part, f"head {k}" if row == 0 else "")
    return d


def block() -> Drawing:
    """A pre-norm block: two branches, each added to the path from x to the result."""
    d = Drawing()

    def branch(x: float, name: str, fill: str) -> float:
        """From the path at x to the sum behind the branch; returns where the path goes on."""
        d.line([(x, 0), (x, 70), (x + 14, 70)], arrow=True)
        d.box(x + 16, 52, 60, 36, "norm", fill=GRAY, round=6)
        d.line([(x + 76, 70), (x + 90, 70)], arrow=True)
        d.box(x + 92, 52, 92, 36, name, fill=fill, round=6)
        d.line([(x + 184, 70), (x + 210, 70), (x + 210, 14)], arrow=True)
        d.dot(x + 210, 0, radius=11, hollow=True)
        d.text(x + 210, 0, "+", size=16)
        return x + 221

    d.text(0, 0, "x", bold=True)
    d.line([(10, 0), (248, 0)], arrow=True)
    x = branch(40, "attention", SKY)
    d.line([(x, 0), (x + 228, 0)], arrow=True)
    x = branch(x + 20, "network", SAND)
    d.line([(x, 0), (x + 44, 0)], arrow=True)
    d.text(x + 50, 0, "result", anchor="start", bold=True)
    return d
