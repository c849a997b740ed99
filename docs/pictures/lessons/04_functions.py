"""The pictures of 04_functions."""

import torch
from drawn import reference
from svg import BLUE, CELL, MINT, ORANGE, SAND, Chart, Drawing


def one_step() -> Drawing:
    """One operation: the upstream gradient comes in, its product with the derivative goes out."""
    d = Drawing()
    x, upstream = torch.tensor(3.0, requires_grad=True), torch.tensor(10.0)
    y = x * x
    y.backward(upstream)
    d.box(0, 0, 120, 90, round=8)
    d.text(60, 20, "x * x", color="#1f2328", bold=True)
    d.text(60, 46, "derivative", color="#1f2328", size=12)
    d.text(60, 66, f"2x = {2 * x:g}", color="#1f2328")
    for left, value in ((-150, f"x = {x:g}"), (130, f"x * x = {y:g}")):
        d.line([(left, 22), (left + 140, 22)], color=BLUE, arrow=True)
        d.text(left + 70, 8, value, color=BLUE)
    for left, value in ((-150, f"{upstream:g} · {2 * x:g} = {x.grad:g}"), (130, f"upstream: {upstream:g}")):
        d.line([(left + 140, 68), (left, 68)], color=ORANGE, arrow=True)
        d.text(left + 70, 84, value, color=ORANGE)
    d.text(-160, 22, "forward", color=BLUE, anchor="end", size=13)
    d.text(-160, 68, "backward", color=ORANGE, anchor="end", size=13)
    d.text(280, 45, "… loss", anchor="start")
    return d


def unbroadcast() -> Drawing:
    """The gradient of a sum of shape (3, 2), summed to a row and to a column."""
    d = Drawing()
    grad = torch.tensor([[1.0, 2.0], [10.0, 20.0], [100.0, 200.0]])
    numbers = lambda rows: [[f"{n:g}" for n in row] for row in rows]  # noqa: E731
    summed = reference("04_functions/ex01").unbroadcast
    width = 44
    d.grid(0, 0, numbers(grad.tolist()), width=width, title="gradient (3, 2)")
    d.line([(width, 3 * CELL + 6), (width, 3 * CELL + 40)], color=ORANGE, arrow=True)
    d.text(width + 12, 3 * CELL + 22, "an added axis: sum over it, and remove it", size=13, anchor="start")
    d.grid(0, 3 * CELL + 46, numbers([summed(grad, (2,)).tolist()]), fill=MINT, width=width)
    d.text(2 * width + 12, 3.5 * CELL + 46, "row (2,)", anchor="start")
    d.line([(2 * width + 6, 1.5 * CELL), (2 * width + 60, 1.5 * CELL)], color=ORANGE, arrow=True)
    d.grid(2 * width + 68, 0, numbers(summed(grad, (3, 1)).tolist()), fill=SAND, width=width, title="column (3, 1)")
    d.text(3 * width + 80, 1.5 * CELL, "a stretched axis: sum over it, and keep it with size 1", size=13, anchor="start")
    return d


def kink() -> Drawing:
    """ReLU and its gradient; at 0 three functions of PyTorch choose three values."""
    d = Drawing()
    axes = {"xlim": (-2, 2), "xticks": (-2, -1, 0, 1, 2), "xlabel": "x"}
    x = (torch.arange(-20, 21, dtype=torch.float64) / 10).requires_grad_()
    y = reference("04_functions/ex03").ReLU.apply(x)
    (slope,) = torch.autograd.grad(y.sum(), x)
    Chart(d, 0, 0, 190, 130, **axes, ylim=(0, 2), yticks=(0, 1, 2), title="ReLU(x)").curve(
        zip(x.tolist(), y.tolist(), strict=True), BLUE
    )
    chart = Chart(d, 270, 0, 190, 130, **axes, ylim=(-0.25, 1.25), yticks=(0, 0.5, 1), title="gradient")
    for part in (x < 0, x > 0):
        points = zip(x[part].tolist(), slope[part].tolist(), strict=True)
        chart.curve([(0 if abs(a) < 0.15 else a, b) for a, b in points], ORANGE)
    functions = {"relu": torch.relu, "maximum": lambda x: torch.maximum(x, torch.zeros(())), "clamp": lambda x: x.clamp(min=0)}
    for name, f in functions.items():
        at = torch.zeros((), requires_grad=True)
        f(at).backward()
        place = chart.at(0, at.grad.item())
        d.dot(*place, radius=4, color=ORANGE)
        d.text(
            place[0] + (-12 if name == "clamp" else 12), place[1] - 10, name, size=13, anchor="end" if name == "clamp" else "start"
        )
    return d
