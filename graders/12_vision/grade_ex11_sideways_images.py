"""Hidden checks for the sideways images: each of five repairs by itself."""

import torch
from torch import nn

from torchdojo.grading import check, gradients

CONCEPTS = ("A06", "M14")

KEPT = {
    "rows_stay_rows": "the first of five repairs, worth points without the others",
    "one_image_is_a_batch": "the second of five repairs, worth points without the others",
    "images_are_normalized_once": "the third of five repairs, worth points without the others",
    "scores_have_one_softmax": "the fourth of five repairs, worth points without the others",
    "evaluation_has_no_dropout": "the last of five repairs, worth points without the others",
}

MEAN, STD = (0.5, 0.5, 0.25), (0.5, 0.25, 0.25)


class Layers(nn.Module):
    """The layers of the stub; each image and each feature by itself."""

    def __init__(self, channels, classes):
        super().__init__()
        self.conv = nn.Conv2d(3, channels, 3, padding=1)
        self.norm = nn.BatchNorm2d(channels)
        self.head = nn.Linear(channels, classes)

    def forward(self, images):
        features = self.norm(self.conv(images)).clamp(min=0)
        rows = [torch.stack([plane.sum() / plane.numel() for plane in image]) for image in features]
        return torch.stack([self.head.weight @ row + self.head.bias for row in rows])


class oracle:
    """Pixel by pixel and image by image, in Python's own numbers."""

    PixelClassifier = Layers

    def prepare_images(pixels):
        planes = [[[[(pixel[c] / 255 - MEAN[c]) / STD[c] for pixel in row] for row in image] for c in range(3)] for image in pixels.tolist()]
        return torch.tensor(planes, device=pixels.device)

    def pixels_loss(model, pixels, labels):
        scores = model(oracle.prepare_images(pixels))
        return torch.stack([row.logsumexp(0) - row[label] for row, label in zip(scores, labels.tolist(), strict=True)]).mean()

    def pixels_accuracy(model, pixels, labels):
        modes = {module: module.training for module in model.modules()}
        for module in modes:
            module.training = False
        with torch.no_grad():
            rows = model(oracle.prepare_images(pixels)).tolist()
        for module, training in modes.items():
            module.training = training
        return sum(row.index(max(row)) == label for row, label in zip(rows, labels.tolist(), strict=True)) / len(rows)


def painted(batch, height, width):
    """Bytes that differ along each axis."""
    return (torch.arange(batch * height * width * 3) * 89 % 256).to(torch.uint8).reshape(batch, height, width, 3)


def gray(*shades):
    """2 by 2 images that are gray all over: exchanged axes make no difference."""
    return torch.tensor(shades, dtype=torch.uint8)[:, None, None, None].expand(-1, 2, 2, 3).clone()


@check(points=3, sizes=[(1, 2, 3), (2, 4, 4), (3, 5, 2), (4, 1, 3)], devices=False)
def rows_stay_rows(solution, sizes):
    """Bytes become normalized images whose rows are rows."""
    return solution.prepare_images(painted(*sizes))


@check(points=2, batch=[1, 3], mode=[False, True], devices=False)
def one_image_is_a_batch(solution, batch, mode):
    """The classifier gives each image a row of scores, also if it is alone, and can be trained."""
    model = solution.PixelClassifier(4, 5).train(mode)
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_((torch.arange(p.numel()) * (5 + 2 * k) % 17 / 8 - 0.9).reshape(p.shape))
    images = (torch.arange(batch * 3 * 4 * 6) * 7 % 23 / 11 - 1).reshape(batch, 3, 4, 6).requires_grad_()
    scores = model(images)
    return {"scores": scores.detach(), "gradient of the images": gradients(scores, [images], torch.ones_like(scores))}


class Flat(nn.Module):
    """The scores, moved on by one class for each image, whatever it shows. It notes what it gets, in which modes, and whether a graph is built."""

    def __init__(self, *scores):
        super().__init__()
        self.drop, self.seen = nn.Dropout(0.0), []
        self.weight = nn.Parameter(torch.tensor(scores))

    def forward(self, images):
        self.seen.append((images.detach().clone(), [module.training for module in self.modules()], torch.is_grad_enabled()))
        return self.drop(torch.stack([self.weight.roll(i) for i in range(len(images))]))


# All scores are 0: softmax leaves them equal, so the loss and the accuracy say nothing here.
@check(points=2, use=["pixels_loss", "pixels_accuracy"], shades=[(0, 255), (51, 102, 204)], devices=False)
def images_are_normalized_once(solution, use, shades):
    """The model reads images that are normalized once, for the loss and for the accuracy."""
    model = Flat(0.0, 0.0)
    getattr(solution, use)(model, gray(*shades), torch.zeros(len(shades), dtype=torch.int64))
    return {"images that the model reads": [images for images, *_ in model.seen]}


@check(points=2, scores=[(2.0, -1.0, 0.5), (40.0, 0.0, -90.0), (0.25, 0.5, 0.125)], labels=[(0, 0), (2, 1, 0), (1,)], devices=False)
def scores_have_one_softmax(solution, scores, labels):
    """The loss is the cross entropy of the model's scores."""
    return solution.pixels_loss(Flat(*scores), gray(*[0] * len(labels)), torch.tensor(labels)).detach()


@check(points=1, modes=[(True, True), (False, False), (True, False)], devices=False, beside=True)
def the_loss_leaves_the_mode_alone(solution, modes):
    """The loss has its graph, and the model runs and stays in its mode."""
    model = Flat(0.0, 0.0)
    model.training, model.drop.training = modes
    loss = solution.pixels_loss(model, gray(0, 255), torch.tensor([0, 1]))
    return loss.detach(), {
        "modes": [seen for _, seen, _ in model.seen],
        "modes afterwards": [module.training for module in model.modules()],
        "the loss has a graph": loss.requires_grad,
    }


LABELS = [(1, 1, 0, 1), (1, 0), (2, 2, 0)]


@check(points=2, mode=[True, False], labels=LABELS, devices=False)
def evaluation_has_no_dropout(solution, mode, labels):
    """The accuracy is that of the model in evaluation mode, without a graph."""
    model = Flat(0.0, 3.0, 1.0).train(mode)
    accuracy = solution.pixels_accuracy(model, gray(*[0] * len(labels)), torch.tensor(labels))
    return {"accuracy": accuracy, "modules in training mode": sum(sum(modes) for _, modes, _ in model.seen), "grad mode": any(grad for *_, grad in model.seen)}


@check(points=1, star=True, modes=[(True, True), (False, False), (True, False)], devices=False, beside=True)
def modes_come_back(solution, modes):
    """After the accuracy, each module is in the mode that it was in."""
    model = Flat(0.0, 3.0, 1.0)
    model.training, model.drop.training = modes
    accuracy = solution.pixels_accuracy(model, gray(0), torch.tensor([1]))
    return accuracy, {"modes afterwards": [module.training for module in model.modules()]}
