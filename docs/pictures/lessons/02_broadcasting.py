"""The pictures of 02_broadcasting."""

import torch
from drawn import reference
from svg import CELL, GRAY, MINT, ROSE, SAND, SKY, Drawing


def column_and_row() -> Drawing:
    """A column and a row are stretched to a common table."""
    d = Drawing()
    w, row = torch.tensor([1, 10, 100]), torch.tensor([0, 1, 2, 3])
    column, line = (t.expand(3, 4).tolist() for t in (w[:, None], row))
    d.grid(0, 0, column, fill=[[SKY, "", "", ""]] * 3, title="w[:, None]: (3, 1)")
    d.text(4 * CELL + 24, 1.5 * CELL, "−", size=20)
    d.grid(4 * CELL + 48, 0, line, fill=[[SAND] * 4, [""] * 4, [""] * 4], title="row: (4,)")
    d.text(8 * CELL + 72, 1.5 * CELL, "=", size=20)
    result = (w[:, None] - row).tolist()
    d.grid(8 * CELL + 96, 0, [[str(v).replace("-", "−") for v in r] for r in result], fill=MINT, title="result: (3, 4)")
    return d


def alignment() -> Drawing:
    """Two pairs of shapes, written below each other and aligned at the right."""
    d = Drawing()
    for x, (a, b) in ((0, ((5, 1, 3), (4, 3))), (270, ((3, 4), (3,)))):
        width = max(len(a), len(b))
        fits = True
        for y, shape in ((0, a), (CELL + 6, b)):
            d.text(x - 10, y + CELL / 2, shape, anchor="end", size=13)
            row = [""] * (width - len(shape)) + list(shape)
            d.grid(x, y, [row], fill=[["" if size in ("", 1) else SKY for size in row]])
        try:
            result = reference("02_broadcasting/ex02").broadcast_shape(a, b)
        except ValueError:
            fits = False
        y = 2 * CELL + 26
        d.line([(x - 4, y - 10), (x + width * CELL + 4, y - 10)])
        if fits:
            d.text(x - 10, y + CELL / 2, "result", anchor="end", size=13)
            d.grid(x, y, [list(result)], fill=MINT)
        else:
            d.grid(x, y, [["", "4 ≠ 3"]], fill=[["", ROSE]], size=12)
            d.text(x + CELL, y + CELL + 14, "error", size=13)
    return d


def every_pair() -> Drawing:
    """Predictions of shape (3, 1) and targets of shape (3,) give nine differences."""
    d = Drawing()
    pred, target = torch.tensor([[1.0], [2.0], [3.0]]), torch.tensor([1.0, 2.0, 3.0])
    d.grid(0, 0, [[f"{v:g}" for v in row] for row in pred.tolist()], fill=SKY)
    d.text(-10, 1.5 * CELL, "pred (3, 1)", anchor="end")
    d.grid(CELL + 20, -CELL - 20, [[f"{v:g}" for v in target.tolist()]], fill=SAND, title="target (3,)")
    difference = (pred - target).tolist()
    fill = [[MINT if i == j else ROSE for j in range(3)] for i in range(3)]
    d.grid(CELL + 20, 0, [[f"{v:g}".replace("-", "−") for v in row] for row in difference], fill=fill)
    x = 4 * CELL + 50
    for y, color, words in ((0.9, MINT, "the 3 differences that you want"), (1.9, ROSE, "6 differences between different samples")):
        d.box(x, y * CELL - 9, 18, 18, fill=color)
        d.text(x + 28, y * CELL, words, anchor="start", size=13)
    return d


def masks() -> Drawing:
    """Three questions about each pair of positions, and their masks."""
    d, i = Drawing(), torch.arange(4)
    questions = (
        ("i − j", i.unsqueeze(1) - i),
        ("i == j + 1", i.unsqueeze(1) == i + 1),
        ("|i − j| < 2", (i.unsqueeze(1) - i).abs() < 2),
    )
    for k, (title, answer) in enumerate(questions):
        x = 190 * k
        rows = answer.tolist()
        if answer.dtype is torch.bool:
            d.grid(
                x,
                0,
                [["T" if v else "" for v in row] for row in rows],
                fill=[[MINT if v else GRAY for v in row] for row in rows],
                title=title,
            )
        else:
            d.grid(x, 0, [[str(v).replace("-", "−") for v in row] for row in rows], title=title)
        if k == 0:
            for n in range(4):
                d.text(x - 12, (n + 0.5) * CELL, n, size=12)
                d.text((n + 0.5) * CELL, 4 * CELL + 12, n, size=12)
            d.text(x - 34, 2 * CELL, "i")
            d.text(2 * CELL, 4 * CELL + 32, "j")
    return d
