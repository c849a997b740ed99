"""The pictures of 05_optimizers."""

import torch
from drawn import reference
from svg import BLUE, GREEN, ORANGE, RED, Chart, Drawing


def cleared_or_not() -> Drawing:
    """The loss of the lesson's line, with gradients that are cleared, and with gradients that add up."""
    d = Drawing()
    generator = torch.Generator().manual_seed(0)
    X, noise = torch.randn(50, 1, generator=generator), torch.randn(50, 1, generator=generator)
    y = 3.0 * X + 2.0 + 0.5 * noise
    *_, cleared = reference("05_optimizers/ex05").fit_line(X, y, torch.zeros(1), torch.zeros(1), 0.1, 49)
    w, b, added = torch.zeros(1, requires_grad=True), torch.zeros(1, requires_grad=True), []
    for _ in range(49):
        loss = (w * X + b - y).square().mean()
        added.append(loss.item())
        loss.backward()
        with torch.no_grad():
            w -= 0.1 * w.grad
            b -= 0.1 * b.grad
    chart = Chart(
        d, 0, 0, 330, 150, xlim=(0, 48), ylim=(0, 16), xticks=range(0, 49, 8), yticks=(0, 5, 10, 15), xlabel="epoch", ylabel="loss"
    )
    chart.curve(enumerate(cleared), BLUE, "cleared in every epoch")
    chart.curve(enumerate(added), RED, "never cleared")
    return d


def momentum() -> Drawing:
    """Paths to the lowest point of a loss that is 20 times as steep in one direction as in the other."""
    d = Drawing()
    chart = Chart(
        d,
        0,
        0,
        380,
        170,
        xlim=(-10.5, 2),
        ylim=(-2.4, 2.4),
        xticks=(-10, -5, 0),
        yticks=(-2, 0, 2),
        xlabel="first parameter",
        ylabel="second parameter",
    )
    turn = torch.linspace(0, 2 * torch.pi, 61)
    for level in (1.0, 4.0, 9.0):
        points = zip((level * turn.cos()).tolist(), (level * turn.sin() / 20**0.5).tolist(), strict=True)
        d.line([chart.at(*p) for p in points if -10.5 <= p[0] <= 2], width=1)
    d.dot(*chart.at(0, 0), color=GREEN, radius=5)
    for m, color, label in ((0.0, ORANGE, "without momentum"), (0.8, BLUE, "momentum 0.8")):
        p = torch.tensor([-10.0, 2.0], requires_grad=True)
        opt, path = reference("05_optimizers/ex06").SGD([p], lr=0.04, momentum=m), [p.tolist()]
        for _ in range(25):
            opt.zero_grad()
            (0.5 * (p[0] ** 2 + 20 * p[1] ** 2)).backward()
            opt.step()
            path.append(p.tolist())
        chart.curve(path, color, label)
        for point in path:
            d.dot(*chart.at(*point), color=color, radius=2.5)
    x = 394
    d.dot(x + 11, 54, color=GREEN, radius=5)
    d.text(x + 30, 54, "lowest loss", size=13, anchor="start")
    d.text(x, 80, "25 steps each", size=13, anchor="start")
    return d


def bias_correction() -> Drawing:
    """The size of Adam's steps for a constant gradient, with and without the correction of the bias."""
    d = Drawing()
    m = v = 0.0
    plain = []
    for t in range(1, 61):
        m, v = 0.9 * m + 0.1 * 2.0, 0.999 * v + 0.001 * 2.0**2
        plain.append((t, m / v**0.5))
    p = torch.zeros(1, requires_grad=True)
    opt, corrected = reference("05_optimizers/ex07").Adam([p], lr=1.0), []
    for t in range(1, 61):
        before = p.item()
        p.grad = torch.tensor([2.0])
        opt.step()
        corrected.append((t, before - p.item()))
    chart = Chart(
        d,
        0,
        0,
        330,
        150,
        xlim=(1, 60),
        ylim=(0, 8),
        xticks=(1, 20, 40, 60),
        yticks=(0, 1, 4, 8),
        xlabel="step t",
        ylabel="size of the step, in units of lr",
    )
    chart.curve(plain, RED, "m / √v, not corrected")
    chart.curve(corrected, BLUE, "corrected")
    return d
