"""Hidden checks for Grad-CAM: weights, relu and size of the map, images of a batch, and what stays as it was."""

import copy

import torch
from torch import nn

from torchdojo.grading import check, mode_of, raises, tensor

CONCEPTS = ("M16",)

KEPT = {
    "the_map_has_the_right_places": "where the map is large, worth a point before factors and classes count",
    "features_are_weighted": "one image without relu and without another size, worth points by itself",
    "what_speaks_against_is_left_out": "relu without another size, worth a point by itself",
    "the_mode_stays": "the model's own mode is part of the task, that of its parts is for the star",
}


def bilinear(plane, height, width):
    """An enlarged plane: each pixel lies between four pixels, at most at the border, and is their weighted mean."""

    def between(k, size, old):
        at = min(max((k + 0.5) * old / size - 0.5, 0.0), old - 1.0)
        return int(at), min(int(at) + 1, old - 1), at - int(at)

    if plane.shape == (height, width):
        return plane
    rows = []
    for i in range(height):
        top, bottom, down = between(i, height, plane.shape[0])
        for j in range(width):
            left, right, along = between(j, width, plane.shape[1])
            upper = plane[top, left] * (1 - along) + plane[top, right] * along
            rows.append(upper * (1 - down) + (plane[bottom, left] * (1 - along) + plane[bottom, right] * along) * down)
    return torch.stack(rows).reshape(height, width)


class oracle:
    """Image by image, in a copy of the network that is cut behind the layer."""

    def grad_cam(model, layer, images, classes):
        model, maps = copy.deepcopy(model).eval(), []
        with torch.enable_grad():
            for image, label in zip(images.detach(), classes.tolist(), strict=True):
                features = model.before(image[None]).detach()
                slopes = torch.autograd.functional.jacobian(lambda x, label=label: model.behind(x)[0, label], features)[0]
                plane = sum(slope.sum() / slope.numel() * feature for slope, feature in zip(slopes, features[0], strict=True))
                maps.append(bilinear(plane.clamp(min=0), *image.shape[1:]))
        return torch.stack(maps)


class Network(nn.Module):
    """Three smooth, positive features, each the mean of some pixels of the image; dropout; scores of seven classes."""

    def __init__(self, channels, size):
        super().__init__()
        self.conv, self.norm, self.smooth = nn.Conv2d(channels, 3, 3, padding=1), nn.BatchNorm2d(3), nn.Sigmoid()
        self.layer, self.drop, self.head = nn.AdaptiveAvgPool2d(size), nn.Dropout(0.5), nn.Linear(3, 7)

    def before(self, x):
        return self.layer(self.smooth(self.norm(self.conv(x))))

    def behind(self, features):
        ramp = 1 + torch.arange(features[0, 0].numel(), device=features.device).to(features) / 8
        return self.head(self.drop((features**2 * ramp.reshape(features.shape[2:])).sum(dim=(2, 3))))

    def forward(self, x):
        return self.behind(self.before(x))


class Broken(Network):
    """A model that doesn't run."""

    def before(self, x):
        raise ArithmeticError


class Contrast(nn.Module):
    """The features are the channels of the image, larger or smaller. The score of class 0 is the mean of channel 0, minus that of the others; the other score is 0."""

    def __init__(self, size):
        super().__init__()
        self.light, self.layer = nn.Parameter(torch.ones(())), nn.AdaptiveAvgPool2d(size)

    def before(self, x):
        return self.layer(x * self.light)

    def behind(self, features):
        score = features[:, 0].mean(dim=(1, 2)) - features[:, 1:].mean(dim=(2, 3)).sum(dim=1)
        return torch.stack([score, 0 * score], dim=1)

    def forward(self, x):
        return self.behind(self.before(x))


def network(images, mode=False, kind=Network):
    """A network with numbers that depend on names and places alone. No feature speaks against a class."""
    model = kind(images.shape[1], images.shape[2:])
    with torch.no_grad():
        for k, (name, values) in enumerate(sorted(model.state_dict().items())):
            if values.is_floating_point():
                new = ((torch.arange(values.numel()) * 5 + 3 * k) % 7 - 2.5).reshape(values.shape) / 4
                values.copy_(new.abs() + 0.5 if "var" in name or name == "head.weight" else new)
    return model.to(images).train(mode)


def cam(solution, model, images, classes):
    return solution.grad_cam(model, model.layer, images, classes)


def usual(solution, images, classes):
    """The map of a plain run."""
    return cam(solution, network(images), images.clone(), classes).detach()


def shares(solution, image, size=None):
    """The map of a Contrast, divided by its largest number."""
    found = cam(solution, Contrast(size or image.shape[2:]).to(image), image.clone(), torch.zeros(1, dtype=torch.int64, device=image.device)).detach()
    return found / found.amax().clamp(min=1e-9)


def alike(one, other):
    return one.shape == other.shape and torch.allclose(one, other, rtol=1e-4, atol=1e-5)


def modes(model):
    return {f"mode of {name or 'the model'}": mode_of(module) for name, module in model.named_modules()}


def hooks(model):
    """How many hooks each module has."""
    kinds = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
    return {name or "the model": sum(len(getattr(module, kind)) for kind in kinds) for name, module in model.named_modules()}


def changed_hooks(before, model):
    """Facts about the hooks of a model that had these."""
    after = hooks(model)
    return {"modules with a new hook": [name for name in after if after[name] > before[name]], "modules that lost a hook": [name for name in after if after[name] < before[name]]}


def data(batch="batch", sizes="channels height width"):
    return {"images": tensor(f"{batch} {sizes}", low=-1, high=1), "classes": tensor(batch, dtype="int64", low=0, high=6), "minimum": 1}


FIXED = {**data("2", "3 4 5"), "dtypes": ("float64",), "devices": False}  # effects depend neither on sizes nor on the device


@check(points=1, image=tensor("1 1 height width", low=0.5), minimum=1, devices=False)
def the_map_has_the_right_places(solution, image):
    """If a single feature raises a single score, the map is this feature, up to a factor."""
    return shares(solution, image)


@check(points=2, devices=False, **data("1"))
def features_are_weighted(solution, images, classes):
    """Each feature is weighted with the mean of the score's derivatives, and the sum of all is the map."""
    return usual(solution, images, classes)


@check(points=1, image=tensor("1 2 height width"), minimum=1, devices=False)
def what_speaks_against_is_left_out(solution, image):
    """Where the weighted sum is negative, the map is 0."""
    return shares(solution, image)


@check(points=2, image=tensor("1 2 height+1 width+2"), size=[(2, 3), (3, 1)], minimum=1, devices=False)
def the_map_has_the_size_of_the_image(solution, image, size):
    """The map of a smaller or larger layer has the image's height and width, bilinearly."""
    return shares(solution, image, size)


@check(points=3, **data())
def each_image_has_its_own_map(solution, images, classes):
    """In a batch, each image has the map of its own class, as if it were alone."""
    return usual(solution, images, classes)


@check(points=1, beside=True, **FIXED)
def the_model_runs_in_evaluation_mode(solution, images, classes):
    """A model in training mode gives the same map, and its buffers don't change."""
    model, answer = network(images, mode=True), usual(solution, images, classes)
    before = {name: values.clone() for name, values in model.named_buffers()}
    training = cam(solution, model, images.clone(), classes).detach()
    return answer, {"the same in training mode": alike(answer, training), "changed buffers": [name for name, values in model.named_buffers() if not torch.equal(values, before[name])]}


@check(points=1, mode=[True, False], beside=True, **FIXED)
def the_mode_stays(solution, images, classes, mode):
    """The model has its old mode afterwards."""
    model = network(images, mode=mode)
    cam(solution, model, images.clone(), classes)
    return usual(solution, images, classes), {"mode": mode_of(model), "mode of the layer": mode_of(model.layer)}


@check(points=3, beside=True, **FIXED)
def only_old_hooks_stay(solution, images, classes):
    """Afterwards, the model has the hooks that it had before, and no others."""
    model = network(images)
    model.layer.register_forward_hook(lambda *seen: None)
    before = hooks(model)
    cam(solution, model, images.clone(), classes)
    return usual(solution, images, classes), changed_hooks(before, model)


@check(points=2, beside=True, **FIXED)
def parameters_stay_as_they_are(solution, images, classes):
    """Parameters get no .grad, keep an old one, and require gradients as before."""
    model = network(images)
    model.norm.requires_grad_(False)
    model.head.weight.grad = torch.full_like(model.head.weight, 5.0)
    cam(solution, model, images.clone(), classes)
    facts = {
        "parameters with a new .grad": [name for name, p in model.named_parameters() if p.grad is not None and name != "head.weight"],
        "the old .grad of head.weight": model.head.weight.grad,
        "parameters that require gradients": [name for name, p in model.named_parameters() if p.requires_grad],
    }
    return usual(solution, images, classes), facts


@check(points=1, leaf=[True, False], beside=True, **FIXED)
def images_stay_as_they_are(solution, images, classes, leaf):
    """The images keep .grad and requires_grad, and the map has no graph."""
    given = images.clone().requires_grad_(leaf)
    answer = cam(solution, network(images), given, classes)
    facts = {"images.requires_grad": given.requires_grad, "the .grad of images": given.grad, "images have changed": not torch.equal(given.detach(), images)}
    return answer.detach(), facts | {"the map requires grad": answer.requires_grad}


@check(points=1, star=True, beside=True, **FIXED)
def an_error_leaves_nothing_behind(solution, images, classes):
    """If the model raises an error, it is passed on, and hooks and mode are restored."""
    model = network(images, mode=True, kind=Broken)
    before = hooks(model)
    error = raises(lambda: cam(solution, model, images.clone(), classes), ArithmeticError)
    return usual(solution, images, classes), {"error": error, "mode": mode_of(model)} | changed_hooks(before, model)


@check(points=1, star=True, beside=True, **FIXED)
def each_part_keeps_its_mode(solution, images, classes):
    """Parts in evaluation mode stay in it if the model is in training mode, and the other way round."""
    model, other = network(images, mode=True), network(images)
    model.norm.eval()
    other.drop.train()
    for each in (model, other):
        cam(solution, each, images.clone(), classes)
    return usual(solution, images, classes), {"a model in training mode": modes(model), "a model in evaluation mode": modes(other)}


@check(points=1, star=True, state=["frozen parameters", "no_grad"], beside=True, **FIXED)
def it_works_without_gradients(solution, images, classes, state):
    """Under torch.no_grad(), and if all parameters are frozen, the map is the same."""
    model, answer = network(images).requires_grad_(state == "no_grad"), usual(solution, images, classes)
    with torch.set_grad_enabled(state != "no_grad"):
        found = cam(solution, model, images.clone(), classes).detach()
        enabled = torch.is_grad_enabled()
    return answer, {f"the same with {state}": alike(answer, found), "grad mode afterwards": enabled}
