"""Hidden checks for CroppedPairs: windows, masks, both together, chances, workers, memory."""

import copy
import random

import numpy
import torch
from torch.nn import functional as F

from torchdojo.grading import LoaderWorker, check

CONCEPTS = ("M09", "K12")

KEPT = {
    "masks_are_windows": "the masks by themselves, worth points without the images",
    "image_and_mask_show_the_same_window": "what a pair is for, said by itself",
    "validation_pairs_stay": "the other half of the exercise, worth a point whatever is drawn in training",
    "workers_draw_independently": "the dataset in a loader, worth points of its own",
}


class oracle:
    """By the place of each pixel in the old image."""

    class CroppedPairs:
        def __init__(self, images, masks, padding, training):
            self.images, self.masks, self.padding, self.training = images, masks, padding, training

        def __len__(self):
            return len(self.images)

        def __getitem__(self, i):
            image, mask = self.images[i].clone(), self.masks[i].clone()
            if self.training:
                down, right, mirror = (int(torch.randint(n, ())) for n in (2 * self.padding + 1, 2 * self.padding + 1, 2))
                height, width = mask.shape
                y, x = torch.arange(height, device=mask.device)[:, None], torch.arange(width, device=mask.device)
                y, x = y + down - self.padding, (x.flip(0) if mirror else x) + right - self.padding
                inside = (y >= 0) & (y < height) & (x >= 0) & (x < width)
                y, x = y.clamp(0, height - 1), x.clamp(0, width - 1)
                image, mask = torch.where(inside, image[:, y, x], 0), torch.where(inside, mask[y, x], 255)
            return image, mask


def samples(device):
    """Three images of two channels, 4 rows and 5 columns, all of whose windows differ, and masks like that."""
    images = torch.arange(1.0, 121.0, device=device).reshape(3, 2, 4, 5)
    return images, (torch.arange(60, device=device).reshape(3, 4, 5) * 7 + 3) % 61


def windows(values, filling, padding):
    """All windows of the padded values, each as it is and mirrored."""
    height, width = values.shape[-2:]
    padded, shifts = F.pad(values, [padding] * 4, value=filling), range(2 * padding + 1)
    found = [padded[..., top : top + height, left : left + width] for top in shifts for left in shifts]
    return torch.stack([way for window in found for way in (window, window.flip(-1))])


def which(value, all_windows):
    """The number of the window that a value is, or -1."""
    if not isinstance(value, torch.Tensor) or value.shape != all_windows.shape[1:]:
        return -1
    places = (all_windows == value).flatten(1).all(dim=1).nonzero().flatten().tolist()
    return places[0] if places else -1


def requests(data, count, padding, device):
    """For each request, the number of the window of the image, and that of its mask."""
    images, masks = samples(device)
    known = [(windows(image, 0, padding), windows(mask, 255, padding)) for image, mask in zip(images, masks, strict=True)]
    seen = []
    for k in range(count):
        image, mask = data[k % 3]
        seen.append((which(image, known[k % 3][0]), which(mask, known[k % 3][1])))
    return seen


def trained(solution, device, padding=1, training=True):
    """A dataset; a check that repeats its run gets the same numbers from Python and NumPy, too."""
    seed = int(torch.randint(2**31, ()))
    random.seed(seed), numpy.random.seed(seed)
    return solution.CroppedPairs(*samples(device), padding, training)


@check(points=2, padding=[1, 2], random=True)
def images_are_windows(solution, padding, device):
    """Each image is a window of the padded image, perhaps mirrored left to right."""
    return [image for image, _ in requests(trained(solution, device, padding), 30, padding, device)]


@images_are_windows.judge
def _(seen):
    if -1 in seen:
        return f"{seen.count(-1)} of {len(seen)} images are no window of the image padded with zeros, neither as it is nor mirrored"


@check(points=2, padding=[1, 2], random=True)
def masks_are_windows(solution, padding, device):
    """Each mask is a window of the mask padded with 255, perhaps mirrored left to right."""
    return [mask for _, mask in requests(trained(solution, device, padding), 30, padding, device)]


@masks_are_windows.judge
def _(seen):
    if -1 in seen:
        return f"{seen.count(-1)} of {len(seen)} masks are no window of the mask padded with 255, neither as it is nor mirrored"


@check(points=2, padding=[1, 2], random=True)
def image_and_mask_show_the_same_window(solution, padding, device):
    """Image and mask show the same window, mirrored alike."""
    return requests(trained(solution, device, padding), 30, padding, device)


@image_and_mask_show_the_same_window.judge
def _(seen):
    known = [pair for pair in seen if -1 not in pair]
    apart = [pair for pair in known if pair[0] != pair[1]]
    if not known:
        return "no request gave a window of the image and a window of the mask"
    if apart:
        what = "window" if any(a // 2 != b // 2 for a, b in apart) else "mirroring"
        return f"in {len(apart)} of {len(known)} requests, image and mask differ in their {what}"


@check(points=2, padding=[1, 2], devices=False, random=True)
def all_windows_are_equally_likely(solution, padding, device):
    """All possible starts of the window are about equally likely."""
    count = 40 * (2 * padding + 1) ** 2
    return [max(pair) // 2 for pair in requests(trained(solution, device, padding), count, padding, device) if max(pair) >= 0]


@all_windows_are_equally_likely.judge
def _(seen, padding):  # about 40 of each window, with a standard deviation of 6; the rarest is told first
    starts = 2 * padding + 1
    for count, k in sorted((seen.count(k), k) for k in range(starts**2)):
        if not 12 <= count <= 72:
            return f"the window that starts at row {k // starts} and column {k % starts} of the padded image occurred in {count} of {len(seen)} requests, wanted about 40"


@check(points=1, padding=[0], devices=False, random=True)
def half_are_mirrored(solution, padding, device):
    """About half of the images are mirrored left to right."""
    return [image for image, _ in requests(trained(solution, device, padding), 200, padding, device)]


@half_are_mirrored.judge
def _(seen):  # with 200 draws, the share has a standard deviation of 0.035
    share = seen.count(1) / len(seen)
    return f"{share:.2f} of the images were mirrored, wanted about 0.5" if abs(share - 0.5) > 0.17 else None


COPIES = "Each worker gets a copy of the dataset and of everything stored in it. The loader seeds only the global generators, once per worker and epoch."


@check(points=2, persistent=[False, True], seed=[2, 7], devices=False, random=True)
def workers_draw_independently(solution, persistent, seed, device):
    """Two workers of a DataLoader, and two epochs of one worker, draw different windows."""
    data, workers, seen = trained(solution, device), [], []
    for epoch in range(2):
        if not (workers and persistent):
            workers = [(LoaderWorker(k, 2, seed + 10 * epoch), copy.deepcopy(data)) for k in range(2)]
        for worker, own in workers:
            with worker:
                seen.append(requests(own, 24, 1, device))
    return seen


def alike(some, others):
    """Do the windows of two runs start at the same places, or are they mirrored alike, although that is random?"""
    for numbers in ([[number(max(pair)) for pair in seen] for seen in (some, others)] for number in (lambda k: k // 2, lambda k: k % 2)):
        if numbers[0] == numbers[1] and len(set(numbers[0])) > 1:
            return True
    return some == others


@workers_draw_independently.judge
def _(seen):
    first, second = seen[:2], seen[2:]
    if alike(*first) or alike(*second):
        return "two workers drew the same windows, or the same mirroring", COPIES
    if alike(first[0], second[0]) or alike(first[1], second[1]):
        return "in the second epoch, a worker drew the same windows or the same mirroring as in the first", COPIES


@check(points=1, padding=[1], random=True)
def validation_pairs_stay(solution, padding, device):
    """In validation, every pair is unchanged, every time."""
    data = trained(solution, device, padding, training=False)
    return [[part.clone() for part in data[k % 3]] for k in range(9)]


@check(points=1, star=True, training=[True, False], random=True)
def results_have_their_own_memory(solution, training, device):
    """What is returned can be changed, and nothing else changes."""
    images, masks = samples(device)
    data = solution.CroppedPairs(images, masks, 0, training)
    for k in range(30):
        image, mask = data[k % 3]
        image.add_(1000), mask.add_(1000)
    return {"images": images, "masks": masks}


@check(points=1, star=True, seed=[3, 11], devices=False, random=True, beside=True)
def the_seed_decides(solution, seed, device):
    """After the same torch.manual_seed the same pairs come again."""
    data, found = solution.CroppedPairs(*samples(device), 1, True), []
    for _ in range(2):
        torch.manual_seed(seed)
        found.append(requests(data, 24, 1, device))
    return len(trained(solution, device)), {"the same after the same seed": found[0] == found[1]}
