"""How shapes are lined up at the right, with the shape that your function finds under the line."""

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

CASES = [((5, 1, 3), (4, 3)), ((8, 1, 6, 1), (7, 1, 5)), ((3,), (2, 3)), ((3, 4), (2, 3))]


def draw(solution):
    """One panel for each pair; a dashed box is an axis that is missing or stretched."""
    figure = Figure(figsize=(9, 5.5), layout="constrained")
    for axes, shapes in zip(figure.subplots(2, 2).flat, CASES, strict=True):
        try:
            result = solution.broadcast_shape(*shapes)
            title = " with ".join(map(str, shapes))
        except ValueError as error:
            result, title = None, f"{shapes[0]} with {shapes[1]}: {error}"
        width = max(map(len, shapes))
        for row, shape in enumerate(shapes):
            cells(axes, shape, width, -row)
        axes.plot([-0.1, width + 0.1], [-1.15, -1.15], color="black")
        if result is None:
            axes.text(width / 2, -1.9, "refused", ha="center", va="center")
        else:
            cells(axes, result, width, -2.3, color="#cfe8cf")
        axes.set(xlim=(-0.2, 4.2), ylim=(-2.5, 1.2))
        axes.set_title(title if len(title) < 55 else title[:52] + "...", fontsize=9)
        axes.set_aspect("equal")
        axes.axis("off")
    return figure


def cells(axes, shape, width, y, color="#e4ecf7"):
    """A row of boxes, aligned at the right."""
    padded = [None] * (width - len(shape)) + list(shape)
    for place, size in enumerate(padded):
        soft = size is None or (size == 1 and color != "#cfe8cf")
        style = {"linestyle": "--", "facecolor": "white"} if soft else {"facecolor": color}
        axes.add_patch(Rectangle((place, y), 0.94, 0.94, edgecolor="0.4", **style))
        axes.text(place + 0.47, y + 0.47, "" if size is None else str(size), ha="center", va="center")
