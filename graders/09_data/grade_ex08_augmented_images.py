"""Hidden checks for AugmentedImages: how often, which axis, when, in which process, and what is left alone."""

import copy

import torch
from seeding import seeded

from torchdojo.grading import LoaderWorker, built, check

CONCEPTS = ("K08", "K12")

KEPT = {
    "each_item_is_decided_anew": "a dataset without workers, worth points of its own",
    "each_item_has_its_label": "the labels, worth a point without the right images",
    "validation_images_stay": "the images themselves, worth points whatever was drawn",
}
EPOCHS = 40


class oracle:
    """Columns in reverse, one by one; how often is for the judges."""

    class AugmentedImages:
        def __init__(self, images, labels, training):
            self.images, self.labels, self.training = images, labels, training

        def __len__(self):
            return len(self.images)

        def __getitem__(self, i):
            image = self.images[i].clone()
            if self.training and torch.rand(()) < 0.5:
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
    with seeded(rng):
        images, labels, seen = images[:3], labels[:3], []
        for _ in range(100):  # new data for each pair of epochs, because another check tests whether a whole epoch is flipped
            torch.manual_seed(int(torch.randint(2**31, (), generator=rng)))
            seen += epochs(solution.AugmentedImages(images, labels, True), images, 2)
        return seen


@images_are_mirrored_half_of_the_time.judge
def _(seen):  # with 200 coins, one for each epoch, the share of heads has a standard deviation of 0.035
    share = sum(epoch.count("mirrored") for epoch in seen) / sum(map(len, seen))
    return wrong_looks(seen) or (f"{share:.2f} of the items were mirrored, wanted about 0.5" if abs(share - 0.5) > 0.17 else None)


@check(points=2, images=IMAGES, labels=LABELS, dtypes=("float32",), devices=False)
def each_item_is_decided_anew(solution, images, labels, rng):
    """Over the epochs each image appears both ways, and within an epoch images differ."""
    with seeded(rng):
        return epochs(solution.AugmentedImages(images, labels, True), images, EPOCHS)


@each_item_is_decided_anew.judge
def _(seen):
    for i in range(len(seen[0])):
        if len({epoch[i] for epoch in seen}) == 1:
            return f"image {i} looked the same in all {len(seen)} epochs: {seen[0][i]}"
    if all(len(set(epoch)) == 1 for epoch in seen):
        return "within an epoch either all images were mirrored or none"


COPIES = "Each worker gets a copy of the dataset and of everything stored in it. The loader seeds only the global generators, once per worker and epoch."


@check(points=3, images=IMAGES, labels=LABELS, persistent=[False, True], seed=[2, 7], dtypes=("float32",), devices=False)
def workers_decide_independently(solution, images, labels, persistent, seed, rng):
    """Two workers of a DataLoader, and two epochs of one worker, mirror different images."""
    with seeded(rng):
        data, workers, seen = solution.AugmentedImages(images, labels, True), [], []
        for epoch in range(2):
            if not (workers and persistent):  # new workers: copies of the dataset, each seeded by the loader
                workers = [(LoaderWorker(k, 2, seed + 10 * epoch), copy.deepcopy(data)) for k in range(2)]
            for worker, own in workers:
                with worker:
                    seen.append(epochs(own, images, 16))
        return seen


@workers_decide_independently.judge
def _(seen):
    first, second = seen[:2], seen[2:]
    if first[0] == first[1] or second[0] == second[1]:
        return "two workers gave the same items at each request", COPIES
    if first[0] == second[0] or first[1] == second[1]:
        return "in the second epoch, a worker gave the same items at each request as in the first", COPIES


@check(points=2, images=IMAGES, labels=LABELS, examples=[ONE_CHANNEL], devices=False)
def validation_images_stay(solution, images, labels, rng):
    """In validation every item is the unchanged image, every time."""
    with seeded(rng):
        data = solution.AugmentedImages(images, labels, False)
        return [[own(data[i][0]) for i in range(len(images))] for _ in range(4)]


@check(points=1, images=IMAGES, labels=LABELS, training=[True, False], devices=False)
def each_item_has_its_label(solution, images, labels, training, rng):
    """Each item has the label of its image."""
    with seeded(rng):
        labels = labels + 10 * torch.arange(8)
        data = solution.AugmentedImages(images, labels, training)
        return {"length": len(data), "labels": [own(data[i][1]) for i in range(len(images))], "last label": own(data[-1][1])}


@check(points=1, star=True, images=IMAGES, labels=LABELS, training=[True, False], devices=False)
def items_share_no_memory(solution, images, labels, training, rng):
    """When you change an item, nothing else changes."""
    with seeded(rng):
        data, seen = solution.AugmentedImages(images.clone(), labels, training), []
        for _ in range(3):
            seen += epochs(data, images, 1)
            for i in range(len(images)):
                data[i][0].add_(100)
        return seen


@items_share_no_memory.judge
def _(seen):
    if wrong_looks(seen[:1]):
        return wrong_looks(seen[:1])
    return "after items were changed in place, a later item was neither its image nor its mirror image" if wrong_looks(seen) else None


@check(points=1, star=True, images=IMAGES, labels=LABELS, seed=[3, 11], dtypes=("float32",), devices=False)
def the_seed_decides(solution, images, labels, seed, rng):
    """After the same torch.manual_seed the same items come again; after another seed, others do."""
    with seeded(rng):
        found = []
        for s in (seed, seed, seed + 1):
            torch.manual_seed(s)
            found.append(epochs(solution.AugmentedImages(images, labels, True), images, 8))
        return found


@the_seed_decides.judge
def _(runs):
    if wrong_looks(runs[0]):
        return wrong_looks(runs[0])
    if runs[0] != runs[1]:
        return "the same requests gave different items after the same torch.manual_seed"
    return "the same requests gave the same items after two different seeds" if runs[0] == runs[2] else None


@check(points=1, star=True, images=IMAGES, labels=LABELS, devices=False, beside=True)
def validation_draws_nothing(solution, images, labels, rng):
    """Reading the validation set does not change the global generator."""
    with seeded(rng):
        data, state = solution.AugmentedImages(images, labels, False), torch.get_rng_state()
        items = epochs(data, images, 1)[0]
        return items, {"random state as before": torch.equal(state, torch.get_rng_state())}
