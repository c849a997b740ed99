"""The pictures of 01_tensors."""

import torch
from svg import CELL, SAND, SKY, Drawing


def strides() -> Drawing:
    """A matrix and its transpose, which read the same memory with other strides."""
    d, t = Drawing(), torch.arange(6).reshape(2, 3)
    by_row = [SKY] * 3 + [SAND] * 3
    d.text(0, CELL / 2, "memory", anchor="end")
    d.grid(16, 0, [range(6)], fill=[by_row])
    for x, name, view in ((0, "t", t), (250, "t.T", t.T)):
        fill = [[by_row[value] for value in row] for row in view.tolist()]
        right, low = d.grid(x, 100, view.tolist(), fill=fill, title=f"{name}, strides {tuple(view.stride())}")
        down, across = view.stride()
        d.line([(x - 12, 104), (x - 12, low - 4)], arrow=True)
        d.text(x - 20, (100 + low) / 2, f"+{down}", anchor="end")
        d.line([(x + 4, low + 12), (right - 4, low + 12)], arrow=True)
        d.text((x + right) / 2, low + 26, f"+{across}")
    return d


def view_or_transpose() -> Drawing:
    """The same matrix regrouped by view, and with its axes swapped by transpose."""
    d, t = Drawing(), torch.tensor([[1, 2, 3], [4, 5, 6]])
    color = {value: fill for row, fill in zip(t.tolist(), (SKY, SAND), strict=True) for value in row}
    for x, title, m in ((0, "t", t), (180, "t.view(3, 2)", t.view(3, 2)), (340, "t.transpose(0, 1)", t.transpose(0, 1))):
        d.grid(x, 0, m.tolist(), fill=[[color[value] for value in row] for row in m.tolist()], title=title)
    return d


def join() -> Drawing:
    """What cat and stack make of two matrices."""
    d, a, b = Drawing(), torch.full((2, 3), 0), torch.full((2, 3), 1)

    def put(x: float, y: float, m: torch.Tensor, title: str = "") -> None:
        d.grid(x, y, m.tolist(), fill=[[(SKY, SAND)[v] for v in row] for row in m.tolist()], width=26, height=26, title=title)

    put(0, 0, a, "a")
    put(0, 92, b, "b")
    put(140, 0, torch.cat([a, b]), "cat([a, b]): (4, 3)")
    put(304, 0, torch.cat([a, b], dim=1), "cat([a, b], dim=1): (2, 6)")
    behind, front = torch.stack([a, b])
    put(558, 22, behind, "stack([a, b]): (2, 2, 3)")
    put(540, 42, front)
    return d
