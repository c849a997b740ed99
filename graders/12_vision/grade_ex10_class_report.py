"""Hidden checks for the report by class: the matrix, each class, the k best, and sums over uneven batches."""

import torch
from torch import nn

from torchdojo.grading import built, check, mode_of, replaced, size, tensor

CONCEPTS = ("M12",)

KEPT = {
    "classes_are_compared_with_their_images": "the task, without the edge of a class without images",
    "the_right_class_is_among_the_k_best": "the task, without the edge of a large k",
    "numbers_are_over_all_images": "what the other functions are for, worth points of its own",
}


class oracle:
    """Loops over images, one at a time."""

    def confusion_matrix(labels, predicted, classes):
        rows = [[0] * classes for _ in range(classes)]
        for label, guess in zip(labels.tolist(), predicted.tolist(), strict=True):
            rows[label][guess] += 1
        return torch.tensor(rows, device=labels.device)

    def class_accuracies(matrix):
        rows = matrix.tolist()
        return torch.tensor([row[i] / sum(row) if sum(row) else float("nan") for i, row in enumerate(rows)], device=matrix.device)

    def count_top_k(scores, labels, k):
        return sum(sum(s > row[label] for s in row) < k for row, label in zip(scores.tolist(), labels.tolist(), strict=True))

    def evaluate_images(model, batches, classes, k):
        modes = {module: module.training for module in model.modules()}
        for module in modes:
            module.training = False
        with torch.inference_mode():
            rows = [(model(image[None]), label[None]) for images, labels in batches for image, label in zip(images, labels, strict=True)]
        for module, training in modes.items():
            module.training = training
        scores, labels = (torch.cat(part) for part in zip(*rows, strict=True))
        top1, topk = (oracle.count_top_k(scores, labels, n) / len(labels) for n in (1, k))
        return {"top 1": top1, "top k": topk, "confusion": oracle.confusion_matrix(labels, scores.argmax(1), classes)}


def counts(case):
    """A matrix of counts in which each class has an image."""
    n = case.size("classes")
    return torch.tensor([[case.rng.randint(0, 5) + (i == (j + 1) % n) for i in range(n)] for j in range(n)])


class Net(nn.Module):
    """Scores that are the pixels, and dropout and batch norm around them; it notes what it is asked."""

    def __init__(self):
        super().__init__()
        self.norm, self.drop, self.frozen = nn.BatchNorm2d(1), nn.Dropout(0.75), nn.Dropout(0.5).eval()
        self.seen = []

    def forward(self, images):
        scores = self.frozen(self.drop(self.norm(images))).flatten(1)
        self.seen.append((mode_of(self.drop), scores.requires_grad))
        return scores


def batches(sizes, device):
    """Images of 2 x 2 pixels, and labels, in batches of these sizes."""
    numbers = torch.arange(sum(sizes) * 4, device=device)
    images, labels = (numbers * 37 % 53 / 7).reshape(-1, 1, 2, 2), numbers[::4] // 4 * 5 % 4
    return list(zip(images.split(sizes), labels.split(sizes), strict=True))


def right_matrix(labels, predicted, classes):
    return nn.functional.one_hot(labels * classes + predicted, classes**2).sum(0).reshape(classes, classes)


def right_count(scores, labels, k):
    return int((scores.topk(min(k, scores.shape[1]), dim=1).indices == labels[:, None]).sum())


def evaluated(solution, model, *rest):
    """The numbers, if the two functions are right."""
    with replaced(solution, confusion_matrix=right_matrix, count_top_k=right_count):
        return solution.evaluate_images(model, *rest)


LABELS, PREDICTED = (tensor("images", dtype="int64", low=0, high="classes") for _ in "lp")
SIZES = [[3, 1, 2], [4, 4, 1], [1, 5]]


@check(points=4, labels=LABELS, predicted=PREDICTED, classes=size("classes"), minimum={"images": 1, "classes": 2}, devices=False)
def pairs_are_counted(solution, labels, predicted, classes):
    """Each pair of a true and a predicted class is counted, however often it occurs."""
    return solution.confusion_matrix(torch.cat([labels, labels, labels[:1] * 0]), torch.cat([predicted, predicted, predicted[:1] * 0 + 1]), classes)


@check(points=2, matrix=built(counts, axes="classes"), minimum={"classes": 2}, devices=False)
def classes_are_compared_with_their_images(solution, matrix):
    """Each class has the share of its own images that were recognized."""
    return solution.class_accuracies(matrix)


SCORES = tensor("images classes", distinct=True)


@check(points=2, scores=SCORES, labels=LABELS, k=[1, 2], minimum={"images": 1, "classes": 3}, devices=False)
def the_right_class_is_among_the_k_best(solution, scores, labels, k):
    """Images count if their class is one of the k with the largest scores."""
    return solution.count_top_k(scores, labels, k)


@check(points=4, sizes=SIZES, k=[2, 3], devices=False)
def numbers_are_over_all_images(solution, sizes, k, device):
    """With batches of different sizes, both accuracies and the matrix are over all images."""
    return evaluated(solution, Net().eval(), batches(sizes, device), 4, k)


@check(points=2, sizes=SIZES[:2], devices=False, beside=True)
def evaluation_mode_and_no_graph(solution, sizes, device):
    """The model runs in evaluation mode and builds no graph."""
    model = Net()
    found = evaluated(solution, model, batches(sizes, device), 4, 2)
    return found, {"modes in which dropout ran": sorted({mode for mode, _ in model.seen}), "scores had a graph": any(graph for _, graph in model.seen)}


@check(points=1, star=True, matrix=[((2, 1, 0), (0, 0, 0), (1, 0, 4)), ((0, 0), (1, 3))], devices=False)
def a_class_without_images_is_nan(solution, matrix):
    """A class without images has nan."""
    return solution.class_accuracies(torch.tensor(matrix))


@check(points=1, star=True, scores=SCORES, labels=LABELS, more=[1, 5], minimum={"images": 1, "classes": 2}, devices=False)
def a_large_k_counts_all(solution, scores, labels, more):
    """With k larger than the number of classes, all images count."""
    return solution.count_top_k(scores, labels, scores.shape[1] + more)


@check(points=1, star=True, sizes=SIZES[:1], training=[True, False], devices=False, beside=True)
def modes_come_back(solution, sizes, training, device):
    """Afterwards each module is in the mode that it was in."""
    model = Net()
    model.drop.p = 0.0  # the answer doesn't depend on the mode
    model.train(training).frozen.eval()
    found = evaluated(solution, model, batches(sizes, device), 4, 2)
    return found["top 1"], {"modes afterwards": [mode_of(module) for module in model.modules()]}


@check(points=1, star=True, labels=LABELS, predicted=PREDICTED, classes=size("classes"), minimum={"images": 1, "classes": 2}, about_device=True, beside=True)
def the_matrix_is_on_the_device_of_the_labels(solution, labels, predicted, classes):
    """The matrix and the accuracies are on the device of the labels."""
    matrix = solution.confusion_matrix(labels, predicted, classes)
    return matrix, {"device of the matrix": matrix.device, "device of the accuracies": solution.class_accuracies(matrix + 1).device}
