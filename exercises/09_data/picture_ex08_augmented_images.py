"""What a model sees of eight images in four epochs."""

import torch
from matplotlib.figure import Figure


def draw(solution):
    """A row for each epoch, a row for the validation set; arrows that point left are mirrored."""
    arrow = torch.zeros(8, 1, 7, 7)
    arrow[:, 0, 3, :] = 1
    arrow[:, 0, [2, 4], 5] = 1
    arrow[:, 0, [1, 5], 4] = 1
    torch.manual_seed(0)
    train = solution.AugmentedImages(arrow, torch.arange(8), True)
    val = solution.AugmentedImages(arrow, torch.arange(8), False)

    figure = Figure(figsize=(8, 5), layout="constrained")
    rows = figure.subplots(5, 8)
    for k, row in enumerate(rows):
        data = val if k == 4 else train
        for i, ax in enumerate(row):
            ax.imshow(data[i][0][0], cmap="Greys", vmin=0, vmax=1)
            ax.set(xticks=[], yticks=[])
        row[0].set_ylabel("validation" if k == 4 else f"epoch {k + 1}")
    return figure
