"""Hidden checks for mixup: what is mixed with what, the random weight and order, and the loss."""

import math

import torch

from torchdojo.grading import check, gradients, tensor

CONCEPTS = ("M11",)

KEPT = {"the_loss_of_two_labels": "the loss, worth points whatever the images are"}


class oracle:
    """Image by image; the loss is that of soft labels."""

    def mixup(images, labels, alpha):
        weight = torch.distributions.Beta(alpha, alpha).sample().item() if alpha else 1.0
        order = torch.randperm(len(images)).tolist()
        mixed = [image * weight + images[i] * (1 - weight) for image, i in zip(images, order, strict=True)]
        return torch.stack(mixed), torch.stack([labels[i] for i in order]), weight

    def mixup_loss(logits, labels, others, weight):
        soft = torch.zeros_like(logits)
        for row, label, other in zip(soft, labels.tolist(), others.tolist(), strict=True):
            row[label] += weight
            row[other] += 1 - weight
        return (logits.logsumexp(1) - (soft * logits).sum(1)).mean()


LEAST = {"channels": 1, "height": 1, "width": 1}


@check(points=3, images=tensor("20 channels height width", distinct=True), alpha=[1.0, 0.3], minimum=LEAST, random=True, devices=False)
def images_and_labels_have_the_same_partner(solution, images, alpha):
    """Each image is mixed with the one whose label is returned, by the weight that is returned."""
    labels = torch.arange(len(images))
    mixed, others, weight = solution.mixup(images, labels, alpha)
    return {"mixed": mixed, "others": others, "weight": weight, "images": images}


@images_and_labels_have_the_same_partner.judge
def _(seen):
    images, mixed, others, weight = seen["images"], seen["mixed"], seen["others"], seen["weight"]
    if not isinstance(weight, float):
        return f"the weight is a {type(weight).__name__}, wanted a float"
    if not 0 <= weight <= 1:
        return f"the weight is {weight:.4g}, wanted a number from 0 to 1"
    if (mixed.shape, mixed.dtype) != (images.shape, images.dtype):
        return f"the mixed images are {mixed.dtype} of shape {tuple(mixed.shape)}, wanted those of images"
    if others.dtype != torch.int64 or sorted(others.tolist()) != list(range(len(images))):
        return "the labels of the others are not those of a permutation"
    if others.tolist() == list(range(len(images))):
        return "each image is mixed with itself"
    if not torch.allclose(mixed, weight * images + (1 - weight) * images[others], rtol=1e-4, atol=1e-4):
        return "the images are not mixed with those whose labels are returned, by this weight"


@check(points=2, alpha=[0.2, 1.0, 4.0], random=True, devices=False)
def the_weight_is_random(solution, alpha):
    """Each call draws a weight from Beta(alpha, alpha)."""
    images, labels = torch.ones(2, 1, 1, 1), torch.arange(2)
    return [solution.mixup(images, labels, alpha)[2] for _ in range(600)]


@the_weight_is_random.judge
def _(weights, alpha):
    if not all(isinstance(weight, float) for weight in weights):
        return "a weight is no float"
    t = torch.tensor(weights, dtype=torch.float64)
    deviation = 1 / (2 * math.sqrt(2 * alpha + 1))
    if abs(t.mean() - 0.5) > 0.1 or not 0.85 * deviation < t.std() < 1.15 * deviation:
        return f"600 weights have the mean {t.mean():.2f} and the standard deviation {t.std():.2f}, wanted about 0.5 and {deviation:.2f}"


@check(points=1, size=[8, 30], random=True, devices=False)
def the_order_is_random(solution, size):
    """Each call draws an order."""
    images, labels = torch.ones(size, 1, 1, 1), torch.arange(size)
    return [solution.mixup(images, labels, 1.0)[1].tolist() for _ in range(10)]


@the_order_is_random.judge
def _(orders):
    different = len({str(order) for order in orders})
    if different < 9:
        return f"10 calls gave {different} different orders"


@check(points=1, size=[8, 30], alpha=[0.4, 1.0], random=True, devices=False)
def the_seed_decides(solution, size, alpha):
    """With the same torch.manual_seed, the weight and the order are the same."""
    images, labels, drawn = torch.ones(size, 1, 1, 1), torch.arange(size), []
    with torch.random.fork_rng(devices=[]):
        for _ in range(2):
            torch.manual_seed(5)
            drawn.append(solution.mixup(images, labels, alpha)[1:])
    return {"labels": [others.tolist() for others, _ in drawn], "weights": [float(weight) for _, weight in drawn]}


@the_seed_decides.judge
def _(seen):
    different = [name for name, (one, other) in seen.items() if one != other]
    if different:
        return f"after the same torch.manual_seed, two calls gave different {' and '.join(different)}"


LOGITS = tensor("batch classes")
LABELS, OTHERS = (tensor("batch", dtype="int64", low=0, high="classes") for _ in "lo")


@check(points=3, logits=LOGITS, labels=LABELS, others=OTHERS, weight=[0.75, 0.125, 1.0, 0.0], minimum={"batch": 1, "classes": 3}, devices=False)
def the_loss_of_two_labels(solution, logits, labels, others, weight):
    """The loss is the weighted sum of two cross-entropies."""
    return solution.mixup_loss(logits, labels, others, weight)


@check(points=1, logits=LOGITS, labels=LABELS, others=OTHERS, weight=[0.75, 0.125], minimum={"batch": 1, "classes": 3}, devices=False)
def both_parts_are_learned(solution, logits, labels, others, weight):
    """The gradient of the logits comes from both losses."""
    loss = solution.mixup_loss(logits.requires_grad_(), labels, others, weight)
    return {"loss": loss.detach(), "gradient": gradients(loss, [logits])}


@check(points=1, star=True, images=tensor("3 channels height width"), minimum=LEAST, random=True, devices=False, aliasing="any")
def without_alpha_nothing_is_mixed(solution, images):
    """With alpha = 0 the weight is 1 and the images stay as they are."""
    mixed, others, weight = solution.mixup(images, torch.arange(len(images)), 0.0)
    return {"mixed": mixed, "weight": weight}


@check(points=1, star=True, size=[20, 30], random=True, about_device=True, beside=True)
def images_stay_on_their_device(solution, size, device):
    """The mixed images and the labels are on the device of images and labels."""
    labels = torch.arange(size, device=device)
    images = (1.0 + labels).reshape(-1, 1, 1, 1)
    mixed, others, weight = solution.mixup(images, labels, 1.0)
    partners = others.to(device)
    wanted = weight * images + (1 - weight) * images[partners]
    right = torch.allclose(mixed.to(device), wanted) and not torch.equal(partners, labels)
    return right, {"device of the images": mixed.device, "device of the labels": others.device}
