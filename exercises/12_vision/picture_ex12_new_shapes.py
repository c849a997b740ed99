"""What your network sees: its first filters, which new shapes it confuses, its mistakes, and the pixels that a score depends on."""

import torch
from given.shapes import NEW, checkpoint, draw_shapes
from matplotlib.figure import Figure


def saliency(model, image, label):
    """How strongly the score of the class depends on each pixel."""
    image = image[None].float().requires_grad_()
    (gradient,) = torch.autograd.grad(model.eval()(image)[0, label], image)
    return gradient[0, 0].abs()


def tiled(figure, title, tiles, columns, color="Greys"):
    """Small pictures in a grid, with a word above each."""
    figure.suptitle(title)
    for axes in (grid := figure.subplots(-(-max(1, len(tiles)) // columns), columns, squeeze=False)).flat:
        axes.axis("off")
    for axes, (word, tile) in zip(grid.flat, tiles, strict=False):
        axes.imshow(tile, cmap=color)
        axes.set_title(word, fontsize=8)


def draw(solution):
    """The network learns the new shapes, 20 images of each, and is asked about 300 others."""
    torch.manual_seed(0)
    training, (images, labels) = (draw_shapes(NEW, count, torch.Generator().manual_seed(count)) for count in (60, 300))
    model = solution.net_for_new_shapes(checkpoint(), len(NEW))
    solution.learn_shapes(model, training, (images[:10], labels[:10]), 20, 20, 0.03, torch.Generator().manual_seed(0))
    predicted = solution.predict_shapes(model, images)

    figure = Figure(figsize=(13, 3.6), layout="constrained")
    filters, matrix, mistakes, maps = figure.subfigures(1, 4)
    first = next(p for p in model.features.parameters() if p.dim() == 4).detach()
    tiled(filters, "first filters", [("", kernel[0]) for kernel in first], 4, "coolwarm")
    counts = (len(NEW) * labels + predicted).bincount(minlength=len(NEW) ** 2).reshape(len(NEW), -1)
    axes = matrix.subplots()
    axes.imshow(counts, cmap="Blues")
    for true in range(len(NEW)):
        for guess in range(len(NEW)):
            count = int(counts[true, guess])
            axes.text(guess, true, count, ha="center", va="center", color="white" if count > 50 else "black")
    axes.set(xlabel="predicted", ylabel="true")
    axes.set_xticks(range(len(NEW)), NEW)
    axes.set_yticks(range(len(NEW)), NEW)
    matrix.suptitle("confusion matrix")
    wrong = (predicted != labels).nonzero().flatten()[:6].tolist()
    tiles = [(f"{NEW[labels[i]]}: {NEW[predicted[i]]}?", images[i, 0]) for i in wrong]
    tiled(mistakes, "mistakes" if wrong else "no mistakes", tiles, 3)
    seen = [(NEW[labels[i]], images[i, 0]) for i in range(3)]
    seen += [("saliency", saliency(model, images[i], labels[i])) for i in range(3)]
    tiled(maps, "what a score depends on", seen, 3)
    return figure
