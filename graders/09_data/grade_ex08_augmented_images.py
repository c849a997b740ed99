"""Hidden checks for AugmentedImages: how often, which axis, when, and what is left alone."""

import torch

from torchdojo.grading import built, check

CONCEPTS = ("K08",)

KEPT = {
    "each_item_has_its_label": "the labels, worth a point without the right images",
    "validation_images_stay": "the images themselves, worth points whatever was drawn",
}
EPOCHS = 40


class oracle:
    """Columns in reverse, one by one; how often is for the judges."""

    class AugmentedImages:
        def __init__(self, images, labels, training, generator):
            self.images, self.labels, self.training, self.generator = images, labels, training, generator

        def __len__(self):
            return len(self.images)

        def __getitem__(self, i):
            image = self.images[i].clone()
            if self.training and torch.rand((), generator=self.generator) < 0.5:
                image = torch.stack([image[..., -1 - k] for k in range(image.shape[-1])], dim=-1)
            return image, self.labels[i].clone()


def shapes(case):
    """Eight images; channels, height and width differ, and none is 1."""
    return case.tensor((8, *case.rng.choice([(2, 3, 4), (3, 4, 2), (4, 2, 3)])), distinct=True)


IMAGES = built(shapes)
LABELS = built(lambda case: case.tensor((8,), dtype="int64", low=0, high=9))
ONE_CHANNEL = {"images": torch.arange(80.0).reshape(8, 1, 2, 5), "labels": torch.arange(8)}
LOOKS = {(True, False): "as it is", (False, True): "mirrored"}


def own(value):
    """A copy, if it is a tensor: it may share memory with an argument."""
    return value.clone() if isinstance(value, torch.Tensor) else value


def epochs(data, images, count):
    """How each image looks beside the one in the data, epoch after epoch."""
    images, found = images.clone(), []
    for _ in range(count):
        items = torch.stack([data[i][0] for i in range(len(images))])
        same, mirrored = ((items == way).flatten(1).all(dim=1).tolist() for way in (images, images.flip(-1)))
        found.append([LOOKS.get(pair, "otherwise") for pair in zip(same, mirrored, strict=True)])
    return found


AXES = "An item has the axes (channels, height, width). To mirror it left to right, reverse the last of them, the width, and no other."


def wrong_looks(seen):
    """What is wrong whatever the shares are, or None."""
    if any("otherwise" in epoch for epoch in seen):
        return "an item is neither the image as it is nor its mirror image, left to right", AXES
    return None


@check(points=2, images=IMAGES, labels=LABELS, dtypes=("float32",), examples=[ONE_CHANNEL], devices=False)
def images_are_mirrored_half_of_the_time(solution, images, labels, rng):
    """In training about half of the items are mirrored left to right."""
    images, labels, seen = images[:3], labels[:3], []
    for _ in range(100):  # new data for each two epochs: a coin for a whole epoch, or for all epochs, is another check's matter
        seen += epochs(solution.AugmentedImages(images, labels, True, rng), images, 2)
    return seen


@images_are_mirrored_half_of_the_time.judge
def _(seen):  # with 200 coins, one for each epoch, the share of heads has a standard deviation of 0.035
    share = sum(epoch.count("mirrored") for epoch in seen) / sum(map(len, seen))
    return wrong_looks(seen) or (f"{share:.2f} of the items were mirrored, wanted about 0.5" if abs(share - 0.5) > 0.17 else None)


@check(points=2, images=IMAGES, labels=LABELS, dtypes=("float32",), devices=False)
def each_item_is_decided_anew(solution, images, labels, rng):
    """Over the epochs each image appears both ways, and within an epoch images differ."""
    return epochs(solution.AugmentedImages(images, labels, True, rng), images, EPOCHS)


@each_item_is_decided_anew.judge
def _(seen):
    for i in range(len(seen[0])):
        if len({epoch[i] for epoch in seen}) == 1:
            return f"image {i} looked the same in all {len(seen)} epochs: {seen[0][i]}"
    if all(len(set(epoch)) == 1 for epoch in seen):
        return "within an epoch either all images were mirrored or none"


@check(points=2, images=IMAGES, labels=LABELS, examples=[ONE_CHANNEL], devices=False)
def validation_images_stay(solution, images, labels, rng):
    """In validation every item is the unchanged image, every time."""
    data = solution.AugmentedImages(images, labels, False, rng)
    return [[own(data[i][0]) for i in range(len(images))] for _ in range(4)]


@check(points=1, images=IMAGES, labels=LABELS, training=[True, False], devices=False)
def each_item_has_its_label(solution, images, labels, training, rng):
    """Each item has the label of its image."""
    labels = labels + 10 * torch.arange(8)
    data = solution.AugmentedImages(images, labels, training, rng)
    return {"length": len(data), "labels": [own(data[i][1]) for i in range(len(images))], "last label": own(data[-1][1])}


@check(points=1, star=True, images=IMAGES, labels=LABELS, training=[True, False], devices=False)
def items_share_no_memory(solution, images, labels, training, rng):
    """When you change an item, nothing else changes."""
    data, seen = solution.AugmentedImages(images.clone(), labels, training, rng), []
    for _ in range(3):
        seen += epochs(data, images, 1)
        for i in range(len(images)):
            data[i][0].add_(100)
    return seen


@items_share_no_memory.judge
def _(seen):
    if wrong_looks(seen[:1]):
        return wrong_looks(seen[:1])
    return "after items were changed in place, the images in the data had changed, too" if wrong_looks(seen) else None


@check(points=1, star=True, images=IMAGES, labels=LABELS, seed=[3, 11], dtypes=("float32",), devices=False)
def the_generator_decides(solution, images, labels, seed):
    """The same seed gives the same items again; a different seed gives different ones."""
    data = [solution.AugmentedImages(images, labels, True, torch.Generator().manual_seed(s)) for s in (seed, seed, seed + 1)]
    return [epochs(one, images, 8) for one in data]


@the_generator_decides.judge
def _(runs):
    if wrong_looks(runs[0]):
        return wrong_looks(runs[0])
    if runs[0] != runs[1]:
        return "two datasets whose generators had the same seed gave different items"
    return "two datasets whose generators had different seeds gave the same items" if runs[0] == runs[2] else None


@check(points=1, star=True, images=IMAGES, labels=LABELS, devices=False, beside=True)
def validation_draws_nothing(solution, images, labels, rng):
    """Reading the validation set does not change the generator."""
    data, state = solution.AugmentedImages(images, labels, False, rng), rng.get_state()
    items = epochs(data, images, 1)[0]
    return items, {"generator as before": torch.equal(state, rng.get_state())}
