"""Where the gradient passes your ReLU, and where it is masked."""

import torch
from matplotlib.figure import Figure


def draw(solution):
    """A landscape, its ReLU, and what is left of a gradient of ones: the mask."""
    line = torch.linspace(-3, 3, 80, dtype=torch.float64)
    x = (line.sin().unsqueeze(0) + (1.5 * line).cos().unsqueeze(1)).requires_grad_()
    y = solution.ReLU.apply(x)
    (gradient,) = torch.autograd.grad(y.sum(), x)

    figure = Figure(figsize=(10, 3.3), layout="constrained")
    panels = ((x, "x", "RdBu_r", -2), (y, "ReLU(x)", "RdBu_r", -2), (gradient, "gradient: 1 where x > 0", "gray", 0))
    for axes, (values, title, colours, low) in zip(figure.subplots(1, 3), panels, strict=True):
        image = axes.imshow(values.detach().tolist(), cmap=colours, vmin=low, vmax=2 if low else 1)
        axes.set(title=title, xticks=[], yticks=[])
        figure.colorbar(image, ax=axes, shrink=0.8)
    return figure
