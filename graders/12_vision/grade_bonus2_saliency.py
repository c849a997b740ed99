"""Hidden checks for saliency: the map of one image and of a batch, and what stays as it was."""

import copy

import torch
from torch import nn

from torchdojo.grading import check, mode_of, tensor

CONCEPTS = ("M13",)

KEPT = {
    "the_map_of_a_sum_has_its_weights": "where the map is large, worth a point before channels, classes and factors count",
    "one_image_has_its_map": "the class and the channels, worth points without a batch",
    "the_mode_stays": "the model's own mode is part of the task, that of its parts is for the star",
}


class oracle:
    """Image by image, in a copy of the model, by PyTorch's Jacobian."""

    def saliency(model, images, classes):
        model, maps = copy.deepcopy(model).eval(), []
        with torch.enable_grad():
            for image, label in zip(images.detach(), classes.tolist(), strict=True):
                slopes = torch.autograd.functional.jacobian(lambda x, label=label: model(x[None])[0, label], image)
                maps.append(torch.stack([channel.abs() for channel in slopes]).max(dim=0).values)
        return torch.stack(maps)


class Network(nn.Module):
    """A convolution, a batch norm, a smooth curve, dropout, and scores of seven classes."""

    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, 3, 3, padding=1)
        self.norm = nn.BatchNorm2d(3)
        self.drop = nn.Dropout(0.5)
        self.head = nn.Linear(3, 7)

    def forward(self, x):
        return self.head(self.drop(self.norm(self.conv(x)).sin().sum(dim=(2, 3))))


def network(images, mode=False):
    """A Network for the images, with numbers that depend on names and places alone."""
    model = Network(images.shape[1])
    with torch.no_grad():
        for k, (name, values) in enumerate(sorted(model.state_dict().items())):
            if values.is_floating_point():
                new = ((torch.arange(values.numel()) * 5 + 3 * k) % 7 - 2.5).reshape(values.shape) / 4
                values.copy_(new.abs() + 0.5 if "var" in name else new)
    return model.to(images).train(mode)


def alike(one, other):
    return one.shape == other.shape and torch.allclose(one, other, rtol=1e-4, atol=1e-5)


def modes(model):
    return {f"mode of {name or 'the model'}": mode_of(module) for name, module in model.named_modules()}


def images(batch="batch", sizes="channels height width"):
    return tensor(f"{batch} {sizes}", low=-1, high=1)


def labels(batch="batch"):
    return tensor(batch, dtype="int64", low=0, high=6)


@check(points=1, image=tensor("1 1 height width"), minimum=1, devices=False)
def the_map_of_a_sum_has_its_weights(solution, image):
    """If a score is a weighted sum of pixels and the other is 0, the map has the weights, up to a factor."""
    count = image.numel()
    model = nn.Sequential(nn.Flatten(), nn.Linear(count, 2))
    with torch.no_grad():
        model[1].weight.copy_(torch.stack([torch.arange(count, 0, -1.0) / count**2, torch.zeros(count)]))
        model[1].bias.zero_()
    label = torch.zeros(1, dtype=torch.int64, device=image.device)
    found = solution.saliency(model.to(image), torch.ones_like(image), label).detach()
    return found / found.amax()


FIXED = {"images": images("2", "3 4 5"), "classes": labels("2"), "dtypes": ("float64",), "devices": False}  # effects depend neither on sizes nor on the device
BATCH = {"images": images(), "classes": labels(), "minimum": 1}


@check(points=2, images=images("1"), classes=labels("1"), minimum=1, devices=False)
def one_image_has_its_map(solution, images, classes):
    """Each pixel of an image has the largest absolute derivative of its channels."""
    return solution.saliency(network(images), images.clone(), classes).detach()


@check(points=3, **BATCH)
def each_image_has_its_own_map(solution, images, classes):
    """In a batch, each image has the map of its own class, as if it were alone."""
    return solution.saliency(network(images), images.clone(), classes).detach()


@check(points=1, beside=True, **FIXED)
def the_model_runs_in_evaluation_mode(solution, images, classes):
    """A model in training mode gives the same map, and its buffers don't change."""
    model = network(images, mode=True)
    before = {name: values.clone() for name, values in model.named_buffers()}
    usual = solution.saliency(network(images), images.clone(), classes).detach()
    training = solution.saliency(model, images.clone(), classes).detach()
    return usual, {"the same in training mode": alike(usual, training), "changed buffers": [name for name, values in model.named_buffers() if not torch.equal(values, before[name])]}


@check(points=1, mode=[True, False], beside=True, **FIXED)
def the_mode_stays(solution, images, classes, mode):
    """The model has its old mode afterwards."""
    model = network(images, mode)
    solution.saliency(model, images.clone(), classes)
    return solution.saliency(network(images), images.clone(), classes).detach(), modes(model)


@check(points=3, beside=True, **FIXED)
def parameters_stay_as_they_are(solution, images, classes):
    """Parameters get no .grad, keep an old one, and require gradients as before."""
    model = network(images)
    model.norm.requires_grad_(False)
    model.head.weight.grad = torch.full_like(model.head.weight, 5.0)
    answer = solution.saliency(model, images.clone(), classes).detach()
    facts = {
        "parameters with a new .grad": [name for name, p in model.named_parameters() if p.grad is not None and name != "head.weight"],
        "the old .grad of head.weight": model.head.weight.grad,
        "parameters that require gradients": [name for name, p in model.named_parameters() if p.requires_grad],
    }
    return answer, facts


@check(points=1, state=["plain", "old gradient", "result"], beside=True, **FIXED)
def images_stay_as_they_are(solution, images, classes, state):
    """The images keep .grad and requires_grad, and the map has no graph."""
    leaf = images.clone().requires_grad_(state != "plain")
    if state == "old gradient":
        leaf.grad = torch.full_like(leaf, 5.0)
    given = leaf * 1 if state == "result" else leaf
    answer = solution.saliency(network(images), given, classes)
    facts = {"images.requires_grad": given.requires_grad, "the .grad of images": leaf.grad, "images have changed": not torch.equal(leaf.detach(), images)}
    return answer.detach(), facts | {"the map requires grad": answer.requires_grad}


@check(points=1, star=True, beside=True, **FIXED)
def each_part_keeps_its_mode(solution, images, classes):
    """Parts in evaluation mode stay in it if the model is in training mode, and the other way round."""
    model, other = network(images, True), network(images)
    model.norm.eval()
    other.drop.train()
    for each in (model, other):
        solution.saliency(each, images.clone(), classes)
    answer = solution.saliency(network(images), images.clone(), classes).detach()
    return answer, {"a model in training mode": modes(model), "a model in evaluation mode": modes(other)}


@check(points=1, star=True, beside=True, **FIXED)
def it_works_without_grad_mode(solution, images, classes):
    """Under torch.no_grad() the map is the same."""
    usual = solution.saliency(network(images), images.clone(), classes).detach()
    with torch.no_grad():
        inside = solution.saliency(network(images), images.clone(), classes)
        still = not torch.is_grad_enabled()
    return usual, {"the same under no_grad": alike(usual, inside), "no_grad still holds": still}
