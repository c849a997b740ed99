"""A small SVG writer for the pictures of lessons. The background is transparent: everything is readable on white and on black.

The text of an SVG is the same with every version of every library, so a test can compare pictures with the committed files.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

INK = "#7f858e"  # text and lines on the page itself
BLUE, ORANGE, GREEN, RED = "#3f87d9", "#d97706", "#2c9c5a", "#df5050"  # curves
ON_PAGE = (INK, BLUE, ORANGE, GREEN, RED)
DARK = "#1f2328"  # text in a filled cell
SKY, SAND, MINT, ROSE, LILAC, GRAY = "#c6dcf7", "#f8d9a8", "#c3e6c8", "#f5c2c2", "#ddd0f5", "#d3d7dd"  # fills of cells
FILLS = (SKY, SAND, MINT, ROSE, LILAC, GRAY)
SIZE, CELL, MARGIN = 14, 34, 8
WIDE = 0.6  # width of a letter, as a part of the type's size: an estimate on the safe side

Point = tuple[float, float]


class Drawing:
    """Shapes and text in pixels, x to the right and y down. The picture is as large as what is on it."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.corners: list[Point] = []

    def text(
        self, x: float, y: float, words: object, *, color: str = INK, size: float = SIZE, anchor: str = "middle", bold: bool = False
    ) -> None:
        """A line of text, centered at the height y."""
        words, wide = str(words), len(str(words)) * size * WIDE
        left = x - {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * wide
        self.corners += [(left, y - size / 2), (left + wide, y + size / 2)]
        style = f' font-size="{_n(size)}"' * (size != SIZE) + f' text-anchor="{anchor}"' * (anchor != "middle")
        style += ' font-weight="bold"' * bold
        self.parts.append(f'<text x="{_n(x)}" y="{_n(y + 0.35 * size)}" fill="{color}"{style}>{html.escape(words)}</text>')

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        words: object = "",
        *,
        fill: str = SKY,
        dashed: bool = False,
        size: float = SIZE,
        round: float = 0,
    ) -> None:
        """A filled rectangle with a text in it; dashed: an outline without a fill."""
        self.corners += [(x, y), (x + width, y + height)]
        look = f'fill="none" stroke="{INK}" stroke-dasharray="4 3"' if dashed else f'fill="{fill}" stroke="{INK}"'
        shape = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"' + f' rx="{_n(round)}"' * bool(round)
        self.parts.append(f"<rect {shape} {look}/>")
        if str(words):
            self.text(x + width / 2, y + height / 2, words, color=INK if dashed else DARK, size=size)

    def line(
        self, points: Iterable[Point], *, color: str = INK, width: float = 1.5, dashed: bool = False, arrow: bool = False
    ) -> None:
        """A line through points, with an arrow at its end if asked for."""
        points = list(points)
        self.corners += points
        look = f'stroke="{color}" stroke-width="{_n(width)}"' + ' stroke-dasharray="5 4"' * dashed
        look += f' marker-end="url(#{color[1:]})"' * arrow
        where = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
        self.parts.append(f'<polyline points="{where}" fill="none" stroke-linejoin="round" {look}/>')

    def dot(self, x: float, y: float, *, color: str = INK, radius: float = 3, hollow: bool = False) -> None:
        """A filled circle, or a ring."""
        self.corners += [(x - radius, y - radius), (x + radius, y + radius)]
        look = f'fill="none" stroke="{color}" stroke-width="2"' if hollow else f'fill="{color}"'
        self.parts.append(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" {look}/>')

    def grid(
        self,
        x: float,
        y: float,
        rows: Sequence[Sequence[object]],
        *,
        fill: str | Sequence[Sequence[str]] = SKY,
        width: float = CELL,
        height: float = CELL,
        title: str = "",
        size: float = SIZE,
    ) -> Point:
        """A table of cells. fill: one color, or one for each cell; '' draws a dashed cell. Returns the lower right corner."""
        for i, row in enumerate(rows):
            for j, words in enumerate(row):
                color = fill if isinstance(fill, str) else fill[i][j]
                self.box(x + j * width, y + i * height, width, height, words, fill=color, dashed=not color, size=size)
        right, low = x + max(map(len, rows)) * width, y + len(rows) * height
        if title:
            self.text((x + right) / 2, y - 14, title)
        return right, low

    def svg(self) -> str:
        """The picture as a text."""
        left, top = min(x for x, _ in self.corners) - MARGIN, min(y for _, y in self.corners) - MARGIN
        width, height = max(x for x, _ in self.corners) + MARGIN - left, max(y for _, y in self.corners) + MARGIN - top
        heads = "".join(
            f'<marker id="{color[1:]}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" orient="auto">'
            f'<path d="M0,0 L8,4 L0,8 z" fill="{color}"/></marker>'
            for color in ON_PAGE if any(f"url(#{color[1:]})" in part for part in self.parts)
        )  # fmt: skip
        size = f'width="{_n(width)}" height="{_n(height)}" viewBox="{_n(left)} {_n(top)} {_n(width)} {_n(height)}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="{SIZE}" text-anchor="middle">'
        return "\n".join([head, *([f"<defs>{heads}</defs>"] if heads else []), *self.parts, "</svg>"]) + "\n"


class Chart:
    """Axes for curves in a drawing, with the ticks that are given."""

    def __init__(
        self,
        drawing: Drawing,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        xlim: Point,
        ylim: Point,
        xticks: Sequence[float] = (),
        yticks: Sequence[float] = (),
        xlabel: str = "",
        ylabel: str = "",
        title: str = "",
    ) -> None:
        self.drawing, self.place, self.size, self.xlim, self.ylim = drawing, (x, y), (width, height), xlim, ylim
        self.rows = 0
        drawing.line([(x, y), (x, y + height), (x + width, y + height)])
        for tick in xticks:
            at = self.at(tick, ylim[0])[0]
            drawing.line([(at, y + height), (at, y + height + 4)])
            drawing.text(at, y + height + 14, f"{tick:g}".replace("-", "−"), size=12)
        for tick in yticks:
            at = self.at(xlim[0], tick)[1]
            drawing.line([(x - 4, at), (x, at)])
            drawing.text(x - 8, at, f"{tick:g}".replace("-", "−"), size=12, anchor="end")
        if xlabel:
            drawing.text(x + width / 2, y + height + 34, xlabel, size=13)
        if ylabel:
            drawing.text(x - 4, y - 14, ylabel, size=13, anchor="start")
        if title:
            drawing.text(x + width / 2, y - 36 if ylabel else y - 14, title, bold=True)

    def at(self, x: float, y: float) -> Point:
        """The pixels of a point; what lies outside of the axes stays on their border."""
        right, up = ((v - low) / (high - low) for v, (low, high) in ((x, self.xlim), (y, self.ylim)))
        right, up = (min(max(v, 0.0), 1.0) for v in (right, up))
        return self.place[0] + right * self.size[0], self.place[1] + (1 - up) * self.size[1]

    def curve(self, points: Iterable[Point], color: str, label: str = "", *, dashed: bool = False, width: float = 2) -> None:
        """A line, with its label in the legend at the right."""
        self.drawing.line([self.at(*point) for point in points], color=color, width=width, dashed=dashed)
        if label:
            x, y = self.place[0] + self.size[0] + 14, self.place[1] + 10 + 22 * self.rows
            self.drawing.line([(x, y), (x + 22, y)], color=color, width=width, dashed=dashed)
            self.drawing.text(x + 30, y, label, size=13, anchor="start")
            self.rows += 1


def _n(value: float) -> str:
    """A coordinate with one decimal."""
    return f"{value + 0.0:.1f}".removesuffix(".0").replace("-0", "0") if abs(value) < 0.05 else f"{value:.1f}".removesuffix(".0")
