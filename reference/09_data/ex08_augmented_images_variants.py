"""Known mistakes and odd-but-correct solutions for AugmentedImages."""

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


class Base(AugmentedImages):
    """Everything but the decision and the mirror."""

    def coin(self, i):
        """Heads or tails."""
        return self.training and torch.rand((), generator=self.generator).item() < 0.5

    def mirrored(self, image):
        """Left to right."""
        return image.flip(-1)

    def plain(self, image):
        """As it is, with memory of its own."""
        return image.clone()

    def __getitem__(self, i):
        image = self.images[i]
        return self.mirrored(image) if self.coin(i) else self.plain(image), self.labels[i]


@mistake("AugmentedImages", about="each_item_is_decided_anew", common=True)
class MirrorsOnce(Base):
    """The images were mirrored in __init__, so every epoch looks the same: flip the coin in __getitem__."""

    def __init__(self, images, labels, training, generator):
        super().__init__(images, labels, training, generator)
        coins = torch.rand(len(images), generator=generator) < 0.5 if training else torch.zeros(len(images), dtype=torch.bool)
        self.images = torch.where(coins[:, None, None, None], images.flip(-1), images)

    def coin(self, i):
        return False


@mistake("AugmentedImages", about="each_item_is_decided_anew", common=True)
class SeedsByTheIndex(Base):
    """Image i was mirrored in every epoch or in none, because the coin depends on i alone: draw it from self.generator."""

    def coin(self, i):
        return self.training and torch.rand((), generator=torch.Generator().manual_seed(i + 17)).item() < 0.5


@mistake("AugmentedImages", about="each_item_is_decided_anew")
class OneCoinForAnEpoch(Base):
    """Within an epoch all images were mirrored or none: flip a coin for each item."""

    def coin(self, i):
        if i == 0:
            self.heads = super().coin(i)
        return self.training and getattr(self, "heads", False)


@mistake("AugmentedImages", about="validation_images_stay", common=True)
class MirrorsInValidation(Base):
    """Validation images were mirrored, too: the score then depends on chance. Mirror only if self.training is True."""

    def coin(self, i):
        return torch.rand((), generator=self.generator).item() < 0.5


@mistake("AugmentedImages", about="validation_images_stay")
class MirrorsOnlyInValidation(Base):
    """Training and validation are exchanged: images are mirrored if self.training is True."""

    def coin(self, i):
        return not self.training and torch.rand((), generator=self.generator).item() < 0.5


@mistake("AugmentedImages")
class AlwaysMirrors(Base):
    """Every training image was mirrored: flip a coin first."""

    def coin(self, i):
        return self.training


@mistake("AugmentedImages")
class NeverMirrors(Base):
    """No image was ever mirrored in training: flip returns a new tensor, so its result has to be used."""

    def coin(self, i):
        return False


@mistake("AugmentedImages", about="images_are_mirrored_half_of_the_time")
class UpsideDown(Base):
    """The rows came in reverse, so the images are upside down: mirror only the last axis, the width."""

    def mirrored(self, image):
        return image.flip(-2)


@mistake("AugmentedImages", about="images_are_mirrored_half_of_the_time")
class ReversesTheChannels(Base):
    """The channels were reversed: an item has the axes (channels, height, width), so the width is axis 2, or -1."""

    def mirrored(self, image):
        return image.flip(0)


@mistake("AugmentedImages", about="images_are_mirrored_half_of_the_time")
class CoinFromANormalNumber(Base):
    """More than half of the items were mirrored: randn is below 0.5 in 69 of 100 cases, rand in 50."""

    def coin(self, i):
        return self.training and torch.randn((), generator=self.generator).item() < 0.5


@mistake("AugmentedImages", about="items_share_no_memory", common=True)
class GivesViews(Base):
    """An image that is not mirrored is a view of the data, so changing it changes the data: clone it."""

    def plain(self, image):
        return image


@mistake("AugmentedImages")
class WritesIntoTheData(Base):
    """The mirror image was written into the data: make a new tensor and leave the data as they are."""

    def __getitem__(self, i):
        if self.coin(i):
            self.images[i] = self.images[i].flip(-1)
        return self.images[i].clone(), self.labels[i]


@mistake("AugmentedImages", about="validation_draws_nothing")
class DrawsBeforeItAsks(Base):
    """A coin was flipped in validation, too, although its result was not used: check self.training first."""

    def coin(self, i):
        return torch.rand((), generator=self.generator).item() < 0.5 and self.training


@mistake("AugmentedImages", about="the_generator_decides")
class UsesAGeneratorOfItsOwn(Base):
    """The generator has no effect: draw from self.generator, so that the caller's seed decides."""

    def __init__(self, images, labels, training, generator):
        super().__init__(images, labels, training, torch.Generator().manual_seed(0))


@mistake("AugmentedImages", about="each_item_has_its_label")
class LabelsAreMirrored(Base):
    """The labels don't belong to the images: mirroring an image changes nothing about its label."""

    def __getitem__(self, i):
        return super().__getitem__(i)[0], self.labels.flip(0)[i]


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
