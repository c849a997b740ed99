"""Known mistakes and unusual but correct solutions for mixup and mixup_loss."""

import random  # noqa: F401 (in the text of mistakes)

import numpy as np  # noqa: F401
import torch
from torch.nn import functional as F

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "wrong_device: order = torch.randperm(len(images))": "indices on the CPU pick from a tensor on any device",
    'wrong_device: order = torch.randperm(len(images), device="cpu")': "indices on the CPU pick from a tensor on any device",
    "wrong_name: order = torch.randperm(len(labels), device=images.device)": "there are as many labels as images",
    "add_detach: return (weight * images + (1 - weight) * images[order]).detach(), labels[order], weight": "images are data, without a graph",
}

HINTS = (
    "Two things are random in each call: one number, and one order. Which lines use the order?",
    "torch.distributions.Beta(alpha, alpha).sample() is a tensor with one number. randperm makes an order, and it indexes images and labels alike. The loss needs "
    "both labels, each with its share.",
    "Draw the weight and make it a float. Draw order once. Mix images with images[order], and return labels[order]. In the loss, call cross_entropy twice and add the "
    "results, weighted.",
)

WEIGHT = "torch.distributions.Beta(alpha, alpha).sample().item() if alpha else 1.0"
MIXED = "weight * images + (1 - weight) * images[order]"
LOSS = "return weight * F.cross_entropy(logits, labels) + (1 - weight) * F.cross_entropy(logits, others)"

order_drawn_twice = mistake.edited(
    "labels[order]", "labels[torch.randperm(len(labels), device=labels.device)]",
    "Images and labels were shuffled by two different orders: draw the order once.",
    about="images_and_labels_have_the_same_partner", common=True, pitfall="draw the order once")

labels_not_shuffled = mistake.edited(
    "labels[order], weight", "labels, weight",
    "You returned the labels of the images themselves: return those of the images that were mixed in.",
    about="images_and_labels_have_the_same_partner", common=True)

weights_exchanged = mistake.edited(
    MIXED, "(1 - weight) * images + weight * images[order]",
    "The two weights are exchanged: the image itself has the weight that is returned.",
    about="images_and_labels_have_the_same_partner", common=True)

images_added = mistake.edited(
    MIXED, "weight * images + images[order]",
    "The weights don't sum to 1: the other image has 1 - weight.",
    about="images_and_labels_have_the_same_partner")

order_of_the_inverse = mistake.edited(
    "labels[order], weight", "labels[order.argsort()], weight",
    "The labels were put in the inverse order: index images and labels in the same way.",
    about="images_and_labels_have_the_same_partner")

weight_as_a_tensor = mistake.edited(
    "sample().item()", "sample()",
    "The weight is a tensor: return a Python float, with .item().",
    about="images_and_labels_have_the_same_partner", common=True)

weight_from_numpy = mistake.edited(
    WEIGHT, "float(np.random.beta(alpha, alpha)) if alpha else 1.0",
    "The weight comes from NumPy's random numbers, which torch.manual_seed doesn't set: draw it with torch.",
    about="the_seed_decides", common=True)

weight_from_random = mistake.edited(
    WEIGHT, "random.betavariate(alpha, alpha) if alpha else 1.0",
    "The weight comes from Python's random numbers, which torch.manual_seed doesn't set: draw it with torch.",
    about="the_seed_decides")

order_from_random = mistake.edited(
    "torch.randperm(len(images), device=images.device)", "torch.tensor(random.sample(range(len(images)), len(images)), device=images.device)",
    "The order comes from Python's random numbers, which torch.manual_seed doesn't set: use torch.randperm.",
    about="the_seed_decides")

weight_is_a_half = mistake.edited(
    WEIGHT, "0.5 if alpha else 1.0",
    "The weight is always 0.5: draw it from Beta(alpha, alpha).",
    about="the_weight_is_random", common=True)

weight_is_uniform = mistake.edited(
    WEIGHT, "torch.rand(()).item() if alpha else 1.0",
    "The weight doesn't depend on alpha: draw it from Beta(alpha, alpha).",
    about="the_weight_is_random", common=True)

beta_with_one = mistake.edited(
    "Beta(alpha, alpha)", "Beta(alpha, 1.0)",
    "Both parameters of the Beta distribution are alpha.",
    about="the_weight_is_random")

weight_of_the_larger_part = mistake.edited(
    WEIGHT, "(lambda w: max(w, 1 - w))(torch.distributions.Beta(alpha, alpha).sample().item()) if alpha else 1.0",
    "The weight is always at least 0.5: return it as it was drawn.",
    about="the_weight_is_random", common=True)

neighbors_are_mixed = mistake.edited(
    "torch.randperm(len(images), device=images.device)", "torch.arange(len(images), device=images.device).roll(1)",
    "The order is the same in each call: draw a random permutation.",
    about="the_order_is_random", common=True)

reversed_batch = mistake.edited(
    "torch.randperm(len(images), device=images.device)", "torch.arange(len(images), device=images.device).flip(0)",
    "The batch was reversed, so the order is the same in each call: draw a random permutation.",
    about="the_order_is_random", common=True)

class_numbers_mixed = mistake.edited(
    LOSS, "return F.cross_entropy(logits, (weight * labels + (1 - weight) * others).round().long())",
    "You mixed class numbers: between class 2 and class 4 is class 3, which has nothing to do with either. Mix the losses.",
    about="the_loss_of_two_labels", common=True, pitfall="mix losses, not class numbers")

class_numbers_cut_off = mistake.edited(
    LOSS, "return F.cross_entropy(logits, (weight * labels + (1 - weight) * others).long())",
    "You mixed class numbers, and .long() cut them off: the class in between has nothing to do with either. Mix the losses.",
    about="the_loss_of_two_labels", common=True)

first_labels_alone = mistake.edited(
    LOSS, "return F.cross_entropy(logits, labels)",
    "The labels of the others don't count: add their loss, times 1 - weight.",
    about="the_loss_of_two_labels", common=True)

mean_of_both = mistake.edited(
    LOSS, "return (F.cross_entropy(logits, labels) + F.cross_entropy(logits, others)) / 2",
    "Both losses count the same: weight the first with weight, and the second with 1 - weight.",
    about="the_loss_of_two_labels")

loss_weights_exchanged = mistake.edited(
    LOSS, "return (1 - weight) * F.cross_entropy(logits, labels) + weight * F.cross_entropy(logits, others)",
    "The two weights are exchanged: the loss with labels has the weight.",
    about="the_loss_of_two_labels", common=True)

losses_added = mistake.edited(
    LOSS, "return weight * F.cross_entropy(logits, labels, reduction='sum') + (1 - weight) * F.cross_entropy(logits, others, reduction='sum')",
    "The losses of the batch were added: the result is their mean.",
    about="the_loss_of_two_labels")

part_without_a_graph = mistake.edited(
    LOSS, "return weight * F.cross_entropy(logits, labels) + (1 - weight) * F.cross_entropy(logits.detach(), others)",
    "No gradient comes from the second loss, so the model doesn't learn from it: compute both from the logits, without detach() or no_grad.",
    about="both_parts_are_learned")

beta_of_zero = mistake.edited(
    WEIGHT, "torch.distributions.Beta(alpha, alpha).sample().item()",
    "Beta(0, 0) is no distribution, and raises an error: with alpha = 0 the weight is 1.",
    about="without_alpha_nothing_is_mixed", common=True)

zero_alpha_is_a_half = mistake.edited(
    "if alpha else 1.0", "if alpha else 0.5",
    "With alpha = 0 nothing should be mixed: the weight is 1.",
    about="without_alpha_nothing_is_mixed")

labels_on_the_cpu = mistake.edited(
    "labels[order], weight", "labels[order].cpu(), weight",
    "The labels of the others are on the CPU: they belong on the device of labels.",
    about="images_stay_on_their_device")


@alternative("mixup")
def with_lerp(images, labels, alpha):
    """lerp between the batch and a shuffled copy, and a weight from two gamma numbers."""
    weight = 1.0
    if alpha > 0:
        pair = torch._standard_gamma(torch.full((2,), alpha, dtype=torch.float64))
        weight = (pair[0] / pair.sum()).item()
    order = torch.rand(len(labels)).argsort().to(images.device)
    return torch.lerp(images[order], images, weight), labels.index_select(0, order), weight


@alternative("mixup_loss")
def with_soft_labels(logits, labels, others, weight):
    """cross_entropy takes probabilities as targets."""
    soft = weight * F.one_hot(labels, logits.shape[1]) + (1 - weight) * F.one_hot(others, logits.shape[1])
    return F.cross_entropy(logits, soft.to(logits.dtype))


the_batch_itself_without_alpha = alternative.edited(
    "weight = torch.distributions.Beta(alpha, alpha).sample().item() if alpha else 1.0", "if not alpha:\n    return images, labels, 1.0\nweight = torch.distributions.Beta(alpha, alpha).sample().item() if alpha else 1.0",
    "Without alpha nothing is drawn, and the batch is returned as it is.")
