"""The pictures of 06_modules."""

import torch
from drawn import reference
from svg import BLUE, GRAY, MINT, ORANGE, SAND, SKY, Drawing
from torch import nn


class Small(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.hidden = nn.Linear(3, 4)
        self.output = nn.Linear(4, 2)


def tree() -> Drawing:
    """A module, its two layers, and the four parameters with the names that the tree gives them."""
    d, model = Drawing(), Small()
    d.box(170, 0, 120, 34, type(model).__name__, fill=SAND, round=6)
    for i, (name, layer) in enumerate(model.named_children()):
        middle = 95 + 270 * i
        d.line([(230, 34), (middle, 82)], arrow=True)
        d.text((230 + middle) / 2 + (-46 if i == 0 else 42), 56, name, size=13)
        d.box(middle - 60, 84, 120, 34, f"Linear({layer.in_features}, {layer.out_features})", round=6)
        for k, (part, parameter) in enumerate(layer.named_parameters()):
            at = middle - 65 + 130 * k
            d.line([(middle, 118), (at, 166)], arrow=True)
            d.text((middle + at) / 2 + (-32 if k == 0 else 26), 140, part, size=13)
            d.box(at - 56, 168, 112, 48, fill=MINT, round=6)
            d.text(at, 183, f"{name}.{part}", color="#1f2328", size=12)
            d.text(at, 201, f"shape {tuple(parameter.shape)}", color="#1f2328", size=12)
    return d


def shapes() -> Drawing:
    """The shapes of a linear layer and of its three gradients: 5 samples, 3 features in, 2 out."""
    d, unit = Drawing(), 22
    n, features, out = 5, 3, 2

    def table(x: float, middle: float, rows: int, columns: int, name: str, fill: str) -> float:
        top = middle - rows * unit / 2
        right, _ = d.grid(x, top, [[""] * columns] * rows, fill=[[fill] * columns] * rows, width=unit, height=unit)
        d.text((x + right) / 2, top - 12, name, size=13)
        return right

    def equation(x: float, middle: float, parts: list[object]) -> None:
        for part in parts:
            if isinstance(part, str):
                room = 26 + 6 * len(part)
                d.text(x + room / 2, middle, part, size=16)
                x += room
            else:
                x = table(x, middle, *part)

    h, d_out = (n, features, "h (5, 3)", SKY), (n, out, "d (5, 2)", SAND)
    equation(0, 70, [h, "@", (features, out, "W.T (3, 2)", MINT), "=", (n, out, "out (5, 2)", GRAY)])
    equation(330, 70, [d_out, "@", (out, features, "W (2, 3)", MINT), "=", (n, features, "for h", SKY)])
    equation(0, 252, [(out, n, "d.T (2, 5)", SAND), "@", h, "=", (out, features, "for W", MINT)])
    d.text(0, -26, "forward", color=BLUE, anchor="start", bold=True)
    d.text(330, -26, "backward: d is the gradient of out", color=ORANGE, anchor="start", bold=True)
    d.text(0, 156, "backward", color=ORANGE, anchor="start", bold=True)
    equation(330, 252, ["sum", (n, out, "d (5, 2)", SAND), "=", (1, out, "for b", GRAY)])
    return d


def dropout() -> Drawing:
    """Dropout of ones: two calls in training mode, with two masks, and one in evaluation mode."""
    d, layer = Drawing(), reference("06_modules/ex05").Dropout(0.25)
    ones = torch.ones(4, 4)
    calls = [
        ("training, first call", layer.train()(ones)),
        ("training, second call", layer(ones)),
        ("evaluation", layer.eval()(ones)),
    ]
    for k, (title, result) in enumerate(calls):
        rows = [[f"{v:.2f}".replace("0.00", "0").replace("1.00", "1") for v in row] for row in result.tolist()]
        fill = [[GRAY if v == 0 else SKY for v in row] for row in result.tolist()]
        d.grid(190 * k, 0, rows, fill=fill, width=38, title=title, size=12)
    return d
