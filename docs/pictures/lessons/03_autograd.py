"""The pictures of 03_autograd."""

import torch
from drawn import reference
from svg import BLUE, CELL, GRAY, MINT, ORANGE, SAND, SKY, Drawing

WIDTH, HEIGHT = 62, 38


def _node(d: Drawing, x: float, y: float, words: str, value: str = "", *, fill: str = SKY) -> None:
    d.box(x - WIDTH / 2, y - HEIGHT / 2, WIDTH, HEIGHT, words, fill=fill, round=6)
    if value:
        d.text(x, y - HEIGHT / 2 - 12, value, color=BLUE)


def _edge(d: Drawing, start: tuple[float, float], end: tuple[float, float], gradient: str, *, side: float = 16) -> None:
    """Forward from start to end, and the gradient that goes back."""
    (x0, y0), (x1, y1) = start, end
    x0, x1 = x0 + WIDTH / 2 + 2, x1 - WIDTH / 2 - 2
    d.line([(x0, y0 - 4), (x1, y1 - 4)], color=BLUE, arrow=True)
    d.line([(x1, y1 + 5), (x0, y0 + 5)], color=ORANGE, arrow=True)
    d.text((x0 + x1) / 2, (y0 + y1) / 2 + side, gradient, color=ORANGE)


def graph() -> Drawing:
    """The graph of x² + 2x + 1 at 3, with the values and the gradients."""
    d = Drawing()
    x = torch.tensor(3.0, requires_grad=True)
    square, double = x**2, 2 * x
    total = square + double
    y = total + 1
    for t in (square, double, total, y):
        t.retain_grad()
    y.backward()
    one, two = (torch.autograd.grad(f(x), x)[0] for f in (lambda x: x**2, lambda x: 2 * x))
    places = {"x": (0, 60), "square": (150, 10), "double": (150, 110), "total": (300, 60), "y": (430, 60)}
    _edge(d, places["x"], places["square"], f"{one:g}", side=26)
    _edge(d, places["x"], places["double"], f"{two:g}", side=24)
    _edge(d, places["square"], places["total"], f"{square.grad:g}", side=26)
    _edge(d, places["double"], places["total"], f"{double.grad:g}", side=24)
    _edge(d, places["total"], places["y"], f"{total.grad:g}", side=20)
    for name, words, t in (("square", "x²", square), ("double", "2x", double), ("total", "+", total), ("y", "+ 1", y)):
        _node(d, *places[name], words, f"{t:g}")
    _node(d, *places["x"], "x", f"{x:g}", fill=MINT)
    d.text(0, 60 + HEIGHT / 2 + 14, f"{one:g} + {two:g} = {x.grad:g}", color=ORANGE)
    d.text(430, 60 + HEIGHT / 2 + 14, f"{y.grad:g}", color=ORANGE)
    for row, (color, words) in enumerate(((BLUE, "forward: values"), (ORANGE, "backward: gradients of the result"))):
        at = 160 + 22 * row
        ends = [(150, at), (180, at)]
        d.line(ends if row == 0 else ends[::-1], color=color, arrow=True)
        d.text(190, at, words, size=13, anchor="start")
    return d


def weighted_rows() -> Drawing:
    """The vector-Jacobian product: each row of the Jacobian times its weight, then the sum."""
    d = Drawing()
    x, v = torch.tensor([1.0, 2.0]), torch.tensor([10.0, 1.0])
    f = lambda x: torch.stack([x[0], x[0] + x[1]])  # noqa: E731
    J, product = reference("03_autograd/ex05").jacobian(f, x), reference("03_autograd/ex04").vjp(f, x, v)
    numbers = lambda rows: [[f"{n:g}" for n in row] for row in rows]  # noqa: E731
    d.grid(0, 0, numbers(v.unsqueeze(1).tolist()), fill=SAND, title="v")
    d.text(CELL + 22, CELL, "×", size=18)
    d.grid(CELL + 60, 0, numbers(J.tolist()), title="Jacobian")
    d.text(3 * CELL + 98, CELL, "→", size=20)
    d.grid(3 * CELL + 136, 0, numbers((v.unsqueeze(1) * J).tolist()), title="weighted rows")
    d.text(5 * CELL + 190, CELL, "sum", size=13)
    d.text(5 * CELL + 190, CELL + 16, "→", size=20)
    d.grid(5 * CELL + 230, CELL / 2, numbers([product.tolist()]), fill=MINT, title="gradient of x")
    d.text(CELL + 52, CELL / 2, "y₀", anchor="end", size=12)
    d.text(CELL + 52, 1.5 * CELL, "y₁", anchor="end", size=12)
    return d


def detach() -> Drawing:
    """A squared difference whose target is detached: the gradient reaches the guess alone."""
    d = Drawing()
    guess, target = (torch.tensor(n, requires_grad=True) for n in (1.0, 3.0))
    ((guess - target.detach()) ** 2).backward()
    inner = (guess - target.detach()).item()
    places = {"guess": (0, 0), "target": (0, 100), "detach": (140, 100), "minus": (270, 50), "square": (400, 50)}
    _edge(d, places["guess"], places["minus"], f"{guess.grad:g}".replace("-", "−"), side=26)
    _edge(d, places["minus"], places["square"], f"{guess.grad:g}".replace("-", "−"), side=20)
    for a, b in (("target", "detach"), ("detach", "minus")):
        (x0, y0), (x1, y1) = places[a], places[b]
        d.line([(x0 + WIDTH / 2 + 2, y0), (x1 - WIDTH / 2 - 2, y1)], color=BLUE, arrow=True)
    _node(d, *places["guess"], "guess", f"{guess:g}", fill=MINT)
    _node(d, *places["target"], "target", f"{target:g}", fill=MINT)
    _node(d, *places["detach"], "detach", fill=GRAY)
    _node(d, *places["minus"], "−", f"{inner:g}".replace("-", "−"))
    _node(d, *places["square"], "square", f"{inner**2:g}")
    d.text(0, HEIGHT / 2 + 14, f"grad {guess.grad:g}".replace("-", "−"), color=ORANGE)
    d.text(0, 100 + HEIGHT / 2 + 14, f"grad {target.grad}", color=ORANGE)
    return d
