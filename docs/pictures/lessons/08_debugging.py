"""The pictures of 08_debugging."""

import torch
from drawn import reference
from svg import BLUE, GRAY, INK, MINT, RED, ROSE, SKY, Chart, Drawing


def loss_curves() -> Drawing:
    """Training of one line, right and with three bugs."""
    d = Drawing()
    x = torch.linspace(-1, 1, 20).unsqueeze(1)
    y = 3 * x + 2

    def run(lr: float = 0.1, *, clear: bool = True, target: torch.Tensor = y, severed: bool = False) -> list[float]:
        w, b, losses = torch.zeros(1, requires_grad=True), torch.zeros(1, requires_grad=True), []
        for _ in range(40):
            loss = (w * x + b - target).square().mean()
            losses.append(loss.item())
            (torch.tensor(loss.item(), requires_grad=True) if severed else loss).backward()
            with torch.no_grad():
                for p in (w, b):
                    p -= lr * (p.grad if p.grad is not None else 0)
                    if clear:
                        p.grad = None
        return losses

    runs = (
        ("right", run(), BLUE),
        ("gradients not cleared", run(clear=False), RED),
        ("targets of shape (N,)", run(target=y.squeeze(1)), RED),
        ("graph cut by item()", run(severed=True), RED),
    )
    for k, (title, losses, color) in enumerate(runs):
        chart = Chart(
            d,
            176 * k,
            0,
            130,
            100,
            xlim=(0, 40),
            ylim=(0, 9),
            xticks=(0, 20, 40),
            yticks=(0, 4, 8) if k == 0 else (),
            xlabel="step",
            ylabel="loss" if k == 0 else "",
        )
        d.text(176 * k + 65, -14, title, size=13)
        chart.curve(enumerate(losses), color)
    return d


def first_nan() -> Drawing:
    """A 0 becomes -inf in the log and nan in the product, and the mean makes it one nan for all."""
    d = Drawing()
    x = torch.tensor([2.0, 0.0, 1.0, 3.0])
    results = {"input": x, "log": x.log(), "log * 0": x.log() * 0, "mean": (x.log() * 0).mean().reshape(1)}
    for k, (name, t) in enumerate(results.items()):
        left = 80 + 150 * k
        words = [[f"{v:.2f}".removesuffix(".00").replace("-", "−")] for v in t.tolist()]
        fill = [[MINT if v.isfinite() else ROSE] for v in t]
        top = 0 if len(t) > 1 else 45
        d.grid(left, top, words, fill=fill, width=62, height=30)
        d.text(left + 31, -14, name)
        if k:
            d.line([(left - 80, 60), (left - 8, 60)], arrow=True)
    d.text(80 + 150 + 31, 140, "the cause", color=RED)
    d.text(80 + 300 + 31, 140, "the first nan", color=INK, size=13)
    return d


def scrambled() -> Drawing:
    """A red, a green and a blue bar on an image with channels last: permuted, and reshaped."""
    d = Drawing()
    image = torch.zeros(6, 8, 3)
    image[1:5, 1, 0] = image[1:5, 3:5, 1] = image[1:5, 6, 2] = 1
    moved = reference("08_debugging/bonus2").channels_first(image)
    shown = (("permute(2, 0, 1)", moved), ("reshape(3, 6, 8)", image.reshape(3, 6, 8)))
    for row, (title, planes) in enumerate(shown):
        d.text(-12, 56 + 140 * row, title, anchor="end")
        for k, plane in enumerate(planes):
            d.box(170 * k, 140 * row, 8 * 18, 6 * 18, fill=GRAY)
            for i, j in plane.nonzero().tolist():
                d.box(170 * k + 18 * j, 140 * row + 18 * i, 18, 18, fill=(ROSE, MINT, SKY)[k])
            if row == 0:
                d.text(170 * k + 72, -14, f"channel {k}")
    return d
