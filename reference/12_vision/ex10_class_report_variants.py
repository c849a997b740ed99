"""Known mistakes and unusual but correct solutions for confusion_matrix, class_accuracies, count_top_k and evaluate_images."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "Try three equal images: what does each function return for them? And for batches of three and of one?",
    "Give each pair of classes a number of its own, and count the numbers with bincount. A row of the matrix holds the images of one class. For the batches, add up "
    "counts, and divide once at the end.",
    "label * classes + predicted is a number from 0 to classes ** 2 - 1; bincount needs minlength. topk(k).indices has a row of k classes for each image: compare it "
    "with the labels as a column. In evaluate_images, remember the mode of each module, switch to evaluation mode, and loop under no_grad.",
)

PAIRS = "return (labels * classes + predicted).bincount(minlength=classes**2).reshape(classes, classes)"
SHARE = "matrix.diagonal() / matrix.sum(dim=1)"
RESULT = 'return {"top 1": matrix.diagonal().sum().item() / total, "top k": hits / total, "confusion": matrix}'
BACK = "for module, training in modes:\n    module.training = training"

EQUIVALENT = {
    "swap_view: return (labels * classes + predicted).bincount(minlength=classes**2).view(classes, classes)": "the counts are a new tensor",
    "in_place_update: matrix += confusion_matrix(labels, scores.argmax(dim=1), classes)": "the matrix is made here",
    "change_dim: matrix = matrix + confusion_matrix(labels, scores.argmax(dim=-1), classes)": "there are two axes",
    "change_dim: return matrix.diagonal() / matrix.sum(dim=-1)": "there are two dimensions",
}

a_pair_counts_once = mistake.edited(
    PAIRS, "matrix = torch.zeros(classes, classes, dtype=torch.int64, device=labels.device)\nmatrix[labels, predicted] += 1\nreturn matrix",
    "A pair that occurs several times was counted once, as by += with indices, which reads all old numbers first, and writes afterwards.",
    about="pairs_are_counted", common=True, pitfall="counts a pair once")

rows_are_predictions = mistake.edited(
    "labels * classes + predicted", "predicted * classes + labels",
    "Rows and columns of the matrix are exchanged: a row belongs to a true class.",
    about="pairs_are_counted", common=True)

without_minlength = mistake.edited(
    PAIRS, "counts = (labels * classes + predicted).bincount()\nreturn torch.nn.functional.pad(counts, (classes**2 - len(counts), 0)).reshape(classes, classes)",
    "The counts are in the wrong cells if the last pair doesn't occur: bincount needs minlength.",
    about="pairs_are_counted")

matrix_of_shares = mistake.edited(
    PAIRS, PAIRS + " / len(labels)",
    "The matrix holds shares: it should hold counts.",
    about="pairs_are_counted")

columns_are_divided = mistake.edited(
    SHARE, "matrix.diagonal() / matrix.sum(dim=0)",
    "You divided by how often a class was predicted: divide by the number of its images, the sum of its row.",
    about="classes_are_compared_with_their_images", common=True)

all_images_are_divided = mistake.edited(
    SHARE, "matrix.diagonal() / matrix.sum()",
    "You divided by the number of all images: each class is compared with its own.",
    about="classes_are_compared_with_their_images", common=True)

whole_numbers = mistake.edited(
    SHARE, "(matrix.diagonal() // matrix.sum(dim=1)).float()",
    "The fractions are cut off, as by //: divide with /.",
    about="classes_are_compared_with_their_images")

empty_class_is_zero = mistake.edited(
    SHARE, "matrix.diagonal() / matrix.sum(dim=1).clamp(min=1)",
    "A class without images has the accuracy 0, as if all of its images were wrong: nothing is known of it, so it is nan.",
    about="a_class_without_images_is_nan", common=True)

nan_is_replaced = mistake.edited(
    SHARE, "(matrix.diagonal() / matrix.sum(dim=1)).nan_to_num(1.0)",
    "A class without images has the accuracy 1, as if all of its images were right: nothing is known of it, so it is nan.",
    about="a_class_without_images_is_nan")

only_the_best = mistake.edited(
    "scores.topk(min(k, scores.shape[1]))", "scores.topk(1)",
    "Only the class with the largest score counted: k classes may contain the right one.",
    about="the_right_class_is_among_the_k_best")

only_the_last_of_k = mistake.edited(
    "(best == labels[:, None]).sum()", "(best[:, -1] == labels).sum()",
    "Only the last of the k classes was compared: the right class may be any of them.",
    about="the_right_class_is_among_the_k_best", common=True)

smallest_scores = mistake.edited(
    "scores.topk(min(k, scores.shape[1]))", "scores.topk(min(k, scores.shape[1]), largest=False)",
    "You looked at the smallest scores: take the largest.",
    about="the_right_class_is_among_the_k_best")

top_k_of_images = mistake.edited(
    "best = scores.topk(min(k, scores.shape[1])).indices", "best = scores.topk(min(k, len(scores)), dim=0).indices.mT.repeat(len(scores), 1)[: len(scores)]",
    "topk ran over the images: classes are axis 1.",
    about="the_right_class_is_among_the_k_best")

share_of_the_k = mistake.edited(
    "return int((best == labels[:, None]).sum())", "return int((best == labels[:, None]).sum()) / len(labels)",
    "count_top_k returned a share: it counts images.",
    about="the_right_class_is_among_the_k_best", common=True)

k_is_not_limited = mistake.edited(
    "min(k, scores.shape[1])", "k",
    "topk was asked for more classes than there are: limit k to their number.",
    about="a_large_k_counts_all", common=True)

mean_of_batches = mistake.edited(
    "hits, matrix = 0, 0", "hits, matrix, shares = 0, 0, []",
    "You took the mean of the batches' accuracies, so the images of a small batch count too much: add up counts, and divide once.",
    also=[
        ("hits += count_top_k(scores, labels, k)", "shares.append([count_top_k(scores, labels, n) / len(labels) for n in (1, k)])"),
        (RESULT, 'top1, topk = torch.tensor(shares, dtype=torch.float64).mean(dim=0).tolist()\nreturn {"top 1": top1, "top k": topk, "confusion": matrix}'),
    ],
    about="numbers_are_over_all_images", common=True, pitfall="The mean of the accuracies of batches")

last_batch_alone = mistake.edited(
    "matrix = matrix + confusion_matrix", "matrix = confusion_matrix",
    "The matrix is that of the last batch: add up those of all batches.",
    about="numbers_are_over_all_images", common=True)

top_1_twice = mistake.edited(
    "hits += count_top_k(scores, labels, k)", "hits += count_top_k(scores, labels, 1)",
    "Both accuracies are those of the best class: pass k to count_top_k.",
    about="numbers_are_over_all_images")

stays_in_training_mode = mistake.edited(
    "model.eval()", "pass",
    "The model ran in training mode, with dropout and the statistics of the batch: switch to evaluation mode.",
    about="evaluation_mode_and_no_graph", common=True)

builds_a_graph = mistake.edited(
    "with torch.no_grad():", "if True:",
    "The model built a graph, which takes memory for nothing: use torch.no_grad().",
    about="evaluation_mode_and_no_graph", common=True)

stays_in_evaluation_mode = mistake.edited(
    BACK, "pass",
    "The model stays in evaluation mode: afterwards each module belongs in its own mode.",
    about="modes_come_back", common=True)

everything_trains = mistake.edited(
    BACK, "model.train()",
    "All modules are in training mode afterwards, frozen ones too: give each its own mode back.",
    about="modes_come_back", common=True)

mode_of_the_model_alone = mistake.edited(
    BACK, "model.train(modes[0][1])",
    "model.train(mode) sets the mode of all modules: those that had another one lost it.",
    about="modes_come_back", common=True)

matrix_on_the_cpu = mistake.edited(
    PAIRS, PAIRS + ".cpu()",
    "The matrix is on the CPU: it belongs on the device of the labels.",
    about="the_matrix_is_on_the_device_of_the_labels")


@alternative("confusion_matrix")
def with_index_put(labels, predicted, classes):
    """index_put_ with accumulate=True adds every occurrence."""
    matrix = torch.zeros(classes, classes, dtype=torch.int64, device=labels.device)
    return matrix.index_put_((labels, predicted), torch.ones_like(labels), accumulate=True)


@alternative()
def with_one_hot_rows():
    """A product of one-hot rows, means by class, and ranks."""

    def confusion_matrix(labels, predicted, classes):
        rows, columns = (torch.eye(classes, dtype=torch.float64, device=labels.device)[t] for t in (labels, predicted))
        return (rows.mT @ columns).to(torch.int64)

    def class_accuracies(matrix):
        return torch.stack([row[i] / row.sum() for i, row in enumerate(matrix.float())])

    def count_top_k(scores, labels, k):
        right = scores.gather(1, labels[:, None])
        return int(((scores > right).sum(1) < k).sum())

    return {"confusion_matrix": confusion_matrix, "class_accuracies": class_accuracies, "count_top_k": count_top_k}


@alternative("evaluate_images")
@torch.no_grad()
def all_scores_first(model, batches, classes, k):
    """All scores are kept, and counted at the end."""
    modes = {module: module.training for module in model.modules()}
    model.train(False)
    pairs = [(model(images), labels) for images, labels in batches]
    for module, training in modes.items():
        module.training = training
    scores, labels = torch.cat([s for s, _ in pairs]), torch.cat([y for _, y in pairs])
    ranks = (scores > scores.gather(1, labels[:, None])).sum(1)
    return {
        "top 1": (ranks < 1).double().mean().item(),
        "top k": (ranks < k).double().mean().item(),
        "confusion": torch.bincount(labels * classes + scores.argmax(1), minlength=classes * classes).view(classes, classes),
    }
