"""Known mistakes and unusual but correct solutions for AugmentedImages."""

import random  # noqa: F401 (an edit uses it)

import torch
from ex08_augmented_images import AugmentedImages

from torchdojo.variants import alternative, mistake

DETACHED = "data have no history"
EQUIVALENT = {
    "add_detach: self.images = images.detach()": DETACHED,
    "add_detach: self.labels = labels.detach()": DETACHED,
    "add_detach: return image.clone().detach(), self.labels[i]": DETACHED,
    "change_comparison: if self.training and torch.rand(()) <= 0.5:": "a number is exactly 0.5 once in millions of draws",
    "change_comparison: if self.training and torch.rand(()) >= 0.5:": "a fair coin has two sides",
}

HINTS = (
    "__getitem__ runs whenever an item is asked for. So randomness in it is new in every epoch.",
    "A coin is a random number below 0.5, drawn when the item is asked for. flip makes a new tensor with one axis "
    "reversed; the width is the last axis.",
    "Take image i. If this is training and the coin says so, return it flipped along the last axis, otherwise "
    "a clone. The label is untouched. Check training first: then validation draws nothing.",
)


MirrorsOnce = mistake.edited("if self.training and torch.rand(()) < 0.5:", "if False:",
    "Every epoch looks the same, because it was decided once which images are mirrored: decide in __getitem__, for each request.",
    also=[(
        "self.images = images",
        """
        coins = torch.rand(len(images)) < 0.5 if training else torch.zeros(len(images), dtype=torch.bool)
        self.images = torch.where(coins[:, None, None, None], images.flip(-1), images)
        """,
    )], about="each_item_is_decided_anew", common=True)

SeedsByTheIndex = mistake.edited("torch.rand(())", "torch.rand((), generator=torch.Generator().manual_seed(i + 17))",
    "Image i was mirrored in every epoch or in none: draw a new random number for each request.",
    about="each_item_is_decided_anew", common=True)

OneCoinForAnEpoch = mistake.edited(
    "if self.training and torch.rand(()) < 0.5:",
    """
    if i == 0:
        self.heads = self.training and torch.rand(()) < 0.5
    if self.training and getattr(self, "heads", False):
    """,
    "Within an epoch all images were mirrored or none: flip a coin for each item.",
    about="each_item_is_decided_anew")

MirrorsInValidation = mistake.edited("self.training and ", "",
    "Validation images were mirrored, too: the score then depends on chance. Mirror only if self.training is True.",
    about=("validation_images_stay", "validation_draws_nothing"), common=True)

MirrorsOnlyInValidation = mistake.edited("self.training and", "not self.training and",
    "Training and validation are swapped: images are mirrored if self.training is True.",
    about=("validation_images_stay", "validation_draws_nothing"))

AlwaysMirrors = mistake.edited(
    "if self.training and torch.rand(()) < 0.5:", "if self.training:",
    "Every training image was mirrored: a random number must decide, so that about half of them are.",
    about="images_are_mirrored_half_of_the_time")

NeverMirrors = mistake.edited("if self.training and torch.rand(()) < 0.5:", "if False:",
    "No image was ever mirrored in training. One reason: flip returns a new tensor, so its result has to be used.",
    about="images_are_mirrored_half_of_the_time")

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
    "if self.training and torch.rand(()) < 0.5:",
    "if torch.rand(()) < 0.5 and self.training:",
    "A random number was drawn in validation, too: check self.training first.",
    about="validation_draws_nothing")

GeneratorInTheDataset = mistake.edited("torch.rand(())", "torch.rand((), generator=self.generator)",
    "The random numbers come from a generator in the dataset, and each worker of a loader has a copy of it. So both workers mirrored at the same "
    "requests, and so did new workers in the next epoch: draw from torch's global generator.",
    also=[("self.training = training",
        "self.training = training\nself.generator = torch.Generator().manual_seed(torch.initial_seed() % 1000)")],
    about="workers_decide_independently", common=True,
    pitfall="A torch.Generator in the dataset")

GeneratorSeededByTheWorker = mistake.edited("torch.rand(())", "torch.rand((), generator=self.generator)",
    "Each worker's generator was seeded with a number that is the same in every epoch, such as its id, so new workers mirrored as those before: "
    "draw from torch's global generator, which the loader seeds differently in each worker and epoch.",
    also=[
        ("self.training = training", "self.training = training\nself.seed, self.generator = torch.initial_seed(), None"),
        ("image = self.images[i]",
         """
         if self.generator is None:
             info = torch.utils.data.get_worker_info()
             self.generator = torch.Generator().manual_seed(self.seed % 1000 + (info.id if info else 9))
         image = self.images[i]
         """),
    ], about="workers_decide_independently")

UsesPythonsRandom = mistake.edited("torch.rand(())", "random.random()",
    "torch.manual_seed doesn't decide, because the random numbers aren't PyTorch's: draw them with torch.rand.",
    about="the_seed_decides")


@mistake("AugmentedImages", about="workers_decide_independently")
class TakesAGenerator(AugmentedImages):
    """__init__ expects a generator that nobody passes: workers would get copies of it and all mirror alike. Leave the argument out, and draw from torch's global generator."""

    def __init__(self, images, labels, training, generator):
        super().__init__(images, labels, training)
        self.generator = generator


LabelsAreMirrored = mistake.edited("self.labels = labels", "self.labels = labels.flip(0)",
    "The labels don't belong to the images: mirroring an image changes nothing about its label.",
    about="each_item_has_its_label")

CountsTheBatchAxis = mistake.edited(
    "flip(-1)",
    "flip(3)",
    "An item has three axes, (channels, height, width): its last one is axis 2, or -1.",
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
        heads = torch.randint(2, (1,)) == 1
        return torch.where(heads, image.flip(2), image), self.labels[i]


@alternative("AugmentedImages")
class WithAnIndex(AugmentedImages):
    """The columns are chosen by a list of indices."""

    def __getitem__(self, i):
        columns = list(range(self.images.shape[-1]))
        if self.training and torch.rand(1).item() > 0.5:
            columns.reverse()
        return [self.images[i][..., columns], self.labels[i].clone()]


@alternative("AugmentedImages")
class WithBernoulli(AugmentedImages):
    """bernoulli as the coin, fliplr as the mirror."""

    def __getitem__(self, i):
        image = self.images[i].clone()
        if self.training and torch.bernoulli(torch.tensor(0.5)):
            image = image.transpose(0, 1).fliplr() if image.dim() == 2 else image.flip(dims=(-1,))
        return image, self.labels[i]


@alternative("AugmentedImages")
class SeedsAGeneratorOnce(AugmentedImages):
    """A generator of its own, made in the process that asks, with the seed of this process."""

    generator = None

    def __getitem__(self, i):
        image = self.images[i].clone()
        if self.training:
            if self.generator is None:
                self.generator = torch.Generator().manual_seed(torch.initial_seed())
            image = image.flip(-1) if torch.rand((), generator=self.generator) < 0.5 else image
        return image, self.labels[i]
