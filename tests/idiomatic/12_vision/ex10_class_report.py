import torch


def confusion_matrix(labels, predicted, classes):
    matrix = torch.zeros(classes, classes, dtype=torch.int64, device=labels.device)
    for label, guess in zip(labels, predicted):
        matrix[label, guess] += 1
    return matrix


def class_accuracies(matrix):
    return matrix.diag() / matrix.sum(dim=1)


def count_top_k(scores, labels, k):
    top = scores.topk(k, dim=1).indices
    return (top == labels.unsqueeze(1)).any(dim=1).sum().item()


def evaluate_images(model, batches, classes, k):
    model.eval()
    matrix = torch.zeros(classes, classes, dtype=torch.int64)
    right = 0
    with torch.no_grad():
        for images, labels in batches:
            scores = model(images)
            matrix += confusion_matrix(labels, scores.argmax(dim=1), classes)
            right += count_top_k(scores, labels, k)
    total = matrix.sum().item()
    return {"top 1": matrix.trace().item() / total, "top k": right / total, "confusion": matrix}
