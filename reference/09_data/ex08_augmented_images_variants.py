"""Known mistakes and unusual but correct solutions for AugmentedImages."""

import torch
from ex08_augmented_images import AugmentedImages

from torchdojo.variants import alternative, mistake

DETACHED = "data have no history"
EQUIVALENT = {
    "add_detach: self.images = images.detach()": DETACHED,
    "add_detach: self.labels = labels.detach()": DETACHED,
    "add_detach: return image.clone().detach(), self.labels[i]": DETACHED,
    "change_comparison: if self.training and torch.rand((), generator=self.generator) <= 0.5:": "a number is exactly 0.5 once in millions of draws",
    "change_comparison: if self.training and torch.rand((), generator=self.generator) >= 0.5:": "a fair coin has two sides",
}

HINTS = (
    "__getitem__ runs whenever an item is asked for. So randomness in it is new in every epoch.",
    "A coin is a random number below 0.5, drawn from self.generator. flip makes a new tensor with one axis "
    "reversed; the width is the last axis.",
    "Take image i. If this is training and the coin says so, return it flipped along the last axis, otherwise "
    "a clone. The label is untouched. Check training first: then validation draws nothing.",
)


MirrorsOnce = mistake.edited("if self.training and torch.rand((), generator=self.generator) < 0.5:", "if False:",
    "Every epoch looks the same, because it was decided once which images are mirrored: decide in __getitem__, for each request.",
    also=[(
        "self.images = images",
        """
        coins = torch.rand(len(images), generator=generator) < 0.5 if training else torch.zeros(len(images), dtype=torch.bool)
        self.images = torch.where(coins[:, None, None, None], images.flip(-1), images)
        """,
    )], about="each_item_is_decided_anew", common=True)

SeedsByTheIndex = mistake.edited("generator=self.generator", "generator=torch.Generator().manual_seed(i + 17)",
    "Image i was mirrored in every epoch or in none: draw a new random number from self.generator for each request.",
    about="each_item_is_decided_anew", common=True)

OneCoinForAnEpoch = mistake.edited(
    "if self.training and torch.rand((), generator=self.generator) < 0.5:",
    """
    if i == 0:
        self.heads = self.training and torch.rand((), generator=self.generator) < 0.5
    if self.training and getattr(self, "heads", False):
    """,
    "Within an epoch all images were mirrored or none: flip a coin for each item.",
    about="each_item_is_decided_anew")

MirrorsInValidation = mistake.edited("self.training and ", "",
    "Validation images were mirrored, too: the score then depends on chance. Mirror only if self.training is True.",
    about="validation_images_stay", common=True)

MirrorsOnlyInValidation = mistake.edited("self.training and", "not self.training and",
    "Training and validation are swapped: images are mirrored if self.training is True.",
    about="validation_images_stay")

AlwaysMirrors = mistake.edited(
    "if self.training and torch.rand((), generator=self.generator) < 0.5:", "if self.training:",
    "Every training image was mirrored: a random number must decide, so that about half of them are.")

NeverMirrors = mistake.edited("if self.training and torch.rand((), generator=self.generator) < 0.5:", "if False:",
    "No image was ever mirrored in training: flip returns a new tensor, so its result has to be used.")

UpsideDown = mistake.edited("flip(-1)", "flip(-2)",
    "The rows came in reverse, so the images are upside down: mirror only the last axis, the width.",
    about="images_are_mirrored_half_of_the_time")

ReversesTheChannels = mistake.edited("flip(-1)", "flip(0)",
    "The channels were reversed: an item has the axes (channels, height, width), so the width is axis 2, or -1.",
    about="images_are_mirrored_half_of_the_time")

CoinFromANormalNumber = mistake.edited("torch.rand(", "torch.randn(",
    "More than half of the items were mirrored: use uniform numbers, which are below 0.5 half of the time. Normal ones are in 69 of 100 cases.",
    about="images_are_mirrored_half_of_the_time")

GivesViews = mistake.edited("image.clone()", "image",
    "An image that is not mirrored is a view of the data, so changing it changes the data: clone it.",
    about="items_share_no_memory", common=True)

WritesIntoTheData = mistake.edited("return image.flip(-1), self.labels[i]", "self.images[i] = image.flip(-1)",
    "The mirror image was written into the data: make a new tensor and leave the data as they are.")

DrawsBeforeItAsks = mistake.edited(
    "if self.training and torch.rand((), generator=self.generator) < 0.5:",
    "if torch.rand((), generator=self.generator) < 0.5 and self.training:",
    "A random number was drawn in validation, too: check self.training first.",
    about="validation_draws_nothing")

UsesAGeneratorOfItsOwn = mistake.edited(
    "self.generator = generator", "self.generator = torch.Generator().manual_seed(0)",
    "The generator has no effect: draw from self.generator, so that the caller's seed decides.",
    about="the_generator_decides")

LabelsAreMirrored = mistake.edited("self.labels = labels", "self.labels = labels.flip(0)",
    "The labels don't belong to the images: mirroring an image changes nothing about its label.",
    about="each_item_has_its_label")

CountsTheBatchAxis = mistake.edited(
    "flip(-1)",
    "flip(3)",
    "An item has three axes, (channels, height, width): its last one is axis 2, or -1.",
    about="images_are_mirrored_half_of_the_time",
)

TurnsByAHalf = mistake.edited(
    "flip(-1)",
    "flip(-1, -2)",
    "The images are upside down as well: mirror only the last axis, the width.",
    about="images_are_mirrored_half_of_the_time",
)

LabelsArePythonNumbers = mistake.edited(
    "return image.flip(-1), self.labels[i]",
    "return image.flip(-1), self.labels[i].item()",
    "The label is a Python number: return labels[i] as it is, a tensor.",
    also=[("return image.clone(), self.labels[i]", "return image.clone(), self.labels[i].item()")],
    about="each_item_has_its_label",
)


@alternative("AugmentedImages")
class WithWhere(AugmentedImages):
    """torch.where chooses between both ways."""

    def __getitem__(self, i):
        image = self.images[i].clone()
        if not self.training:
            return image, self.labels[i]
        heads = torch.randint(2, (1,), generator=self.generator) == 1
        return torch.where(heads, image.flip(2), image), self.labels[i]


@alternative("AugmentedImages")
class WithAnIndex(AugmentedImages):
    """The columns are chosen by a list of indices."""

    def __getitem__(self, i):
        columns = list(range(self.images.shape[-1]))
        if self.training and torch.rand(1, generator=self.generator).item() > 0.5:
            columns.reverse()
        return [self.images[i][..., columns], self.labels[i].clone()]


@alternative("AugmentedImages")
class WithBernoulli(AugmentedImages):
    """bernoulli as the coin, fliplr as the mirror."""

    def __getitem__(self, i):
        image = self.images[i].clone()
        if self.training and torch.bernoulli(torch.tensor(0.5), generator=self.generator):
            image = image.transpose(0, 1).fliplr() if image.dim() == 2 else image.flip(dims=(-1,))
        return image, self.labels[i]
