"""The autograd graph of an expression as an SVG picture, read from `grad_fn`.

    from torchdojo import draw_graph
    draw_graph(loss, w=w, b=b)               # in a notebook; draw_graph(...).save("graph.svg") elsewhere

Inputs are at the top and the result at the bottom, in the order of the forward pass; backward follows the same edges upwards.
"""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MOST = 300  # operations
WIDTH, HEIGHT, GAP, FLOOR = 118, 34, 18, 62  # of a box, between boxes, from one row to the next (pixels)


@dataclass(eq=False)
class Node:
    """An operation, or a leaf that collects its gradient."""

    title: str
    detail: str = ""
    leaf: bool = False
    inputs: list[Node] = field(default_factory=list)
    row: int = 0
    x: float = 0.0

    @property
    def y(self) -> float:
        return self.row * FLOOR


class Picture:
    """An SVG text that notebooks show and files take."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, file: str | Path) -> None:
        """Write the picture to a file."""
        Path(file).write_text(self.svg, encoding="utf-8")


def draw_graph(result: Any, **names: Any) -> Picture:
    """Draw how a tensor was computed from the tensors that require grad.

    result: a tensor with a grad_fn. names: leaves, to be labelled: draw_graph(loss, w=w). Raises ValueError for a tensor
    without history, and for more than 300 operations.
    """
    if getattr(result, "grad_fn", None) is None:
        raise ValueError("this tensor has no history: no tensor that requires grad took part, or it was detached")
    labels = {id(tensor): name for name, tensor in names.items()}
    order = walked(result.grad_fn, labels)
    last = Node("result", shape_text(result), inputs=[order[-1]])
    nodes = [*order, last]
    place(nodes)
    return Picture(as_svg(nodes))


def walked(root: Any, labels: dict[int, str]) -> list[Node]:
    """The nodes behind a grad_fn, inputs before what uses them. Raises ValueError for too many."""
    nodes: dict[Any, Node] = {}
    order: list[Node] = []
    waiting = [(root, False)]
    while waiting:
        function, finished = waiting.pop()
        inputs = [f for f, _ in function.next_functions if f is not None]
        if finished:
            nodes[function].inputs = [nodes[f] for f in inputs]
            order.append(nodes[function])
        elif function not in nodes:
            if len(nodes) >= MOST:
                raise ValueError(f"the graph has more than {MOST} operations; draw a smaller expression")
            nodes[function] = node_of(function, labels)
            waiting.append((function, True))
            waiting += [(f, False) for f in reversed(inputs) if f not in nodes]
    return order


def node_of(function: Any, labels: dict[int, str]) -> Node:
    name = type(function).__name__
    leaf = getattr(function, "variable", None)
    if leaf is not None:
        return Node(labels.get(id(leaf), "leaf"), shape_text(leaf), leaf=True)
    return Node(name.rstrip("0123456789").removesuffix("Backward") or name)


def shape_text(tensor: Any) -> str:
    return f"shape {tuple(tensor.shape)}"


def place(nodes: list[Node]) -> None:
    """Rows by the longest way from the leaves, leaves just above what uses them; columns near the middle of the inputs."""
    for node in nodes:
        node.row = max((i.row + 1 for i in node.inputs), default=0)
    users: dict[int, list[Node]] = {}
    for node in nodes:
        for i in node.inputs:
            users.setdefault(id(i), []).append(node)
    for node in nodes:
        if node.leaf and id(node) in users:
            node.row = min(u.row for u in users[id(node)]) - 1
    rows: dict[int, list[Node]] = {}
    for node in nodes:
        rows.setdefault(node.row, []).append(node)
    for row in sorted(rows):
        wanted = {id(n): sum(i.x for i in n.inputs) / len(n.inputs) if n.inputs else 0.0 for n in rows[row]}
        free = float("-inf")
        for node in sorted(rows[row], key=lambda n: wanted[id(n)]):
            node.x = max(wanted[id(node)], free)
            free = node.x + WIDTH + GAP
    left = min(n.x for n in nodes)
    for node in nodes:
        node.x -= left


def as_svg(nodes: list[Node]) -> str:
    width, height = max(n.x for n in nodes) + WIDTH + 20, max(n.y for n in nodes) + HEIGHT + 20
    size = f'width="{width:.0f}" height="{height:.0f}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="-10 -10 {width:.0f} {height:.0f}"'
        ' font-family="sans-serif" font-size="13" text-anchor="middle">',
        '<defs><marker id="end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0,0 L8,4 L0,8 z" fill="#666"/></marker></defs>',
        f'<rect x="-10" y="-10" {size} fill="white"/>',
    ]
    for node in nodes:
        for i in node.inputs:
            ends = f'x1="{i.x + WIDTH / 2:.0f}" y1="{i.y + HEIGHT:.0f}" x2="{node.x + WIDTH / 2:.0f}" y2="{node.y:.0f}"'
            parts.append(f'<line {ends} stroke="#666" marker-end="url(#end)"/>')
    for node in nodes:
        fill = "#cfe8cf" if node.leaf else "#f3d9b1" if node.title == "result" else "#e4ecf7"
        box = f'x="{node.x:.0f}" y="{node.y:.0f}" width="{WIDTH}" height="{HEIGHT}" rx="6"'
        parts.append(f'<rect {box} fill="{fill}" stroke="#555"/>')
        middle = node.x + WIDTH / 2
        high = node.y + (14 if node.detail else 21)
        parts.append(f'<text x="{middle:.0f}" y="{high:.0f}">{html.escape(node.title[:16])}</text>')
        if node.detail:
            parts.append(f'<text x="{middle:.0f}" y="{node.y + 28:.0f}" font-size="10">{html.escape(node.detail[:22])}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
