"""Vision 12 of 12: the project, a trained network learns new shapes.

Difficulty 4 of 5, about 60 minutes.
"""

import torch
from torch import nn


class ShapeNet(nn.Module):
    """A small network that reads gray images, (batch, 1, height, width), of bytes.

    forward divides the images by 255, subtracts `mean`, and divides by `std`. Two parts follow, under these names:

    features  an nn.Sequential: convolution, batch norm, ReLU, max pooling; the same again; convolution, batch norm, ReLU.
              The convolutions return 8, 16 and 32 channels. They are 3 × 3, with padding 1, without bias. Pooling is 2 × 2.
    head      an nn.Linear: reads the mean of each channel over all positions, returns the scores of `classes` classes

    The state dict holds these two parts only, not `mean` and `std`.

    Example:
        >>> model = ShapeNet(5, mean=0.5, std=0.2)
        >>> sum(p.numel() for p in model.parameters())
        6109
    """

    def __init__(self, classes: int, mean: float, std: float):
        super().__init__()
        raise NotImplementedError("12_vision/ex12_new_shapes: write ShapeNet.__init__()")

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return the scores, (batch, classes)."""
        raise NotImplementedError("12_vision/ex12_new_shapes: write ShapeNet.forward()")


def predict_shapes(model: nn.Module, images: torch.Tensor) -> torch.Tensor:
    """Return the class with the largest score for each image, int64 of shape (batch,).

    model(images) returns the scores, (batch, classes). The model runs in evaluation mode, without a graph.

    For full marks:
        * afterwards each module is in the mode that it was in
    """
    raise NotImplementedError("12_vision/ex12_new_shapes: write predict_shapes()")


def learn_shapes(
    model: nn.Module,
    training: tuple[torch.Tensor, torch.Tensor],
    held_out: tuple[torch.Tensor, torch.Tensor],
    epochs: int,
    batch: int,
    lr: float,
    generator: torch.Generator | None = None,
) -> list[float]:
    """Train what requires gradients, and return the share of held-out images that are right after each epoch.

    Shapes:
        training, held_out  two tensors each, on the device of the model: images, and labels (int64)

    Each epoch reads every training image once, in a new random order, in batches of `batch` images; the last may be smaller.
    For each batch, one update of torch.optim.Adam, with the learning rate lr, lowers the mean cross-entropy. The model trains
    in training mode, but batch norms with frozen parameters stay in evaluation mode. It never trains on held-out images.

    Test: a new ShapeNet trains on 300 images of the OLD shapes of given/shapes.py: 6 epochs with batch=12 and lr=0.02, then
    one with lr=0.002. At least 60 % of unseen images are right.

    Pitfall:
        model.train() puts frozen batch norms into training mode, too, and their running statistics drift.

    For full marks:
        * the order comes from `generator`, which is on the CPU, and from nothing else
    """
    raise NotImplementedError("12_vision/ex12_new_shapes: write learn_shapes()")


def net_for_new_shapes(saved: dict, classes: int) -> ShapeNet:
    """Return the network of a checkpoint with a new head for other classes. Only the head is trained.

    `saved` is a dict with "weights", the state dict of a ShapeNet in float16, and with the "mean" and "std" that it was trained
    with. The head is for `classes` new classes. All parameters of the result are float32.

    Test: with checkpoint() of given/shapes.py, the head learns from 20 images of each of the NEW shapes: 20 epochs with batch=20
    and lr=0.03. At least 90 % of unseen images are right.

    Pitfall:
        load_state_dict(..., strict=False) raises no error if no name fits, and the weights are still random.
    """
    raise NotImplementedError("12_vision/ex12_new_shapes: write net_for_new_shapes()")
