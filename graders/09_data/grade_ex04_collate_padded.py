"""Hidden checks for collate_padded: padding, mask, labels, and what a loader may hand over."""

import torch
from torch.utils.data import DataLoader

from torchdojo.grading import built, check

CONCEPTS = ("C10", "K04")

KEPT = {
    "short_rows_are_padded_at_the_end": "the tokens themselves, worth points without a mask",
    "the_mask_is_true_at_real_tokens": "the mask, worth points where no token equals pad",
    "labels_are_one_tensor": "the labels, said by themselves",
    "a_loader_calls_it": "what the function is for, said by itself",
}


class oracle:
    """Token by token."""

    def collate_padded(samples, pad=0):
        longest = max(tokens.numel() for tokens, _ in samples)
        padded, mask, labels = [], [], []
        for tokens, label in samples:
            missing = longest - tokens.numel()
            padded.append([*tokens.tolist(), *[pad] * missing])
            mask.append([*[True] * tokens.numel(), *[False] * missing])
            labels.append(int(label))
        first, shape = samples[0][0], (len(samples), longest)
        return (
            torch.tensor(padded, dtype=first.dtype, device=first.device).reshape(shape),
            torch.tensor(mask, dtype=torch.bool, device=first.device).reshape(shape),
            torch.tensor(labels, dtype=torch.int64, device=first.device),
        )


ORDINARY = ((3, 1, 4), (2, 5), (4,), (1, 3, 2, 6, 1))
WITH_EMPTY = ((0, 3, 2), (2, 0), (0, 0), (0,))


def samples(lengths, low=1):
    """Pairs of tokens and labels with these lengths, another list of lengths in each case."""
    return built(
        lambda case: [(case.tensor([n], dtype="int64", low=low, high=9), case.rng.randint(0, 5)) for n in lengths[case.number % len(lengths)]],
        axes="unused",
    )


def in_any_order(rows):
    """The rows in the order of their numbers: another check asks about the order of the samples."""
    return rows[sorted(range(len(rows)), key=lambda i: rows[i].tolist())]


@check(points=2, samples=samples(ORDINARY), devices=False)
def short_rows_are_padded_at_the_end(solution, samples):
    """Each row holds its tokens, then padding."""
    return {"padded": solution.collate_padded(list(samples))[0]}


@check(points=1, samples=samples(ORDINARY), devices=False)
def the_mask_is_true_at_real_tokens(solution, samples):
    """The mask is True at real tokens and False at padding."""
    return {"mask": solution.collate_padded(list(samples))[1]}


@check(points=1, samples=samples(ORDINARY), devices=False)
def labels_are_one_tensor(solution, samples):
    """The labels are an int64 tensor with one number for each sample."""
    return {"labels": in_any_order(solution.collate_padded(list(samples))[2])}


@check(points=1, samples=samples(ORDINARY[:2]), pad=[-1, 7], devices=False)
def pad_fills_the_rows(solution, samples, pad):
    """pad is the number at the end of short rows, given by position or by name."""
    by_position, by_name = solution.collate_padded(list(samples), pad)[0], solution.collate_padded(list(samples), pad=pad)[0]
    return {"by position": in_any_order(by_position).long(), "by name": in_any_order(by_name).long()}


@check(points=2, samples=samples(ORDINARY, low=0), pad=[0, 3], devices=False)
def a_real_token_may_equal_pad(solution, samples, pad):
    """A real token that equals pad is real."""
    samples = [(torch.cat([tokens[:-1], torch.full_like(tokens[:1], pad)]), label) for tokens, label in samples]
    return {"mask": in_any_order(solution.collate_padded(samples, pad)[1])}


@check(points=1, star=True, samples=samples(WITH_EMPTY), devices=False)
def sequences_may_be_empty(solution, samples):
    """A sequence may be empty, and all of them may be."""
    padded, mask, labels = solution.collate_padded(list(samples), 0)
    return {"padded": padded, "mask": mask, "labels": labels + 1}


@check(points=1, star=True, samples=samples(ORDINARY), devices=False)
def a_loader_calls_it(solution, samples):
    """A DataLoader can use collate_padded, even if the labels are tensors."""
    items = [(tokens, torch.tensor(label)) for tokens, label in samples]
    found = []
    for _, _, labels in DataLoader(items, batch_size=2, collate_fn=solution.collate_padded):
        found.append(in_any_order(labels))
    return found


@check(points=1, star=True, samples=samples(ORDINARY), dtype=[torch.int32, torch.int16, torch.uint8], devices=False)
def tokens_keep_their_dtype(solution, samples, dtype):
    """padded has the dtype of the tokens."""
    samples = [(tokens.to(dtype), label) for tokens, label in samples]
    return {"padded": solution.collate_padded(samples)[0]}
