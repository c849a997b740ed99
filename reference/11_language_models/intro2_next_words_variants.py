"""Known mistakes and unusual but correct solutions for last_logits and next_words."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "Sequence i of length 3 ends at position 2. You need one position for each sequence, and it may be another one in each.",
    "Two index tensors of the same length pick pairs: the number of each sequence, and its last position. For the words, turn all logits into "
    "probabilities first; topk returns values and indices, the largest first.",
    "Index logits with the numbers 0, 1, ... of the sequences and with the lengths minus one. Then softmax over the vocabulary, topk of at most as many as there are words, "
    "and tolist() of both results. Pair the word of each index with its probability.",
)
EQUIVALENT = {
    "wrong_device: sequences = torch.arange(len(lengths))": "an index may be on the CPU",
    'wrong_device: sequences = torch.arange(len(lengths), device="cpu")': "an index may be on the CPU",
    "wrong_name: sequences = torch.arange(len(logits), device=logits.device)": "there are as many sequences as lengths",
    "change_dim: likely = logits.softmax(dim=-1).topk(min(k, len(words)))": "there is one axis",
    "drop_keyword: return [(words[i], p) for p, i in zip(likely.values.tolist(), likely.indices.tolist())]": "there are as many values as indices",
    "drop_copy: return [(words[i], p) for p, i in zip(likely.values.tolist(), likely.indices, strict=True)]": "a whole number in a tensor is an index, too",
}

LAST = "logits[sequences, lengths - 1]"
LIKELY = "logits.softmax(dim=0).topk(min(k, len(words)))"
PAIRS = "[(words[i], p) for p, i in zip(likely.values.tolist(), likely.indices.tolist(), strict=True)]"


after_the_padding = mistake.edited(LAST, "logits[:, -1]",
    "You took the last position of the batch, which is padding in all shorter sequences: take position length - 1 of each sequence.",
    common=True,
    pitfall="logits[:, -1] are the logits after the padding")

one_position_too_far = mistake.edited(LAST, "logits[sequences, lengths.clamp(max=logits.shape[1] - 1)]",
    "You read one position too far: the last of n tokens is at position n - 1.",
    common=True)

one_position_too_early = mistake.edited(LAST, "logits[sequences, (lengths - 2).clamp(min=0)]",
    "You read the position before the last token: these logits predict the last token itself. Take position length - 1.")

every_sequence_with_every_length = mistake.edited(LAST, "logits[:, lengths - 1]",
    "You have the positions of all sequences in each sequence: index with the numbers of the sequences and with the positions, as pairs.",
    common=True)

the_longest_length = mistake.edited(LAST, "logits[:, lengths.max() - 1]",
    "You read the same position in all sequences, that of the longest: each has its own last position.")

counts_from_the_end = mistake.edited(LAST, "logits[sequences, logits.shape[1] - lengths]",
    "You read position time - length, which counts from the end: the first length tokens are real, so the last of them is at position length - 1.")

the_mean_of_the_positions = mistake.edited(LAST, "torch.stack([rows[:n].mean(dim=0) for rows, n in zip(logits, lengths)])",
    "You averaged the logits over the positions: the next word is predicted by those at the last position alone.")

softmax_of_the_largest = mistake.edited(LIKELY, "logits.topk(min(k, len(words)))",
    "The probabilities of the k words sum to 1, as if there were no others: apply softmax to all logits, then take the k largest.",
    also=[("likely.values.tolist()", "likely.values.softmax(dim=0).tolist()")],
    common=True,
    pitfall="Softmax over the k largest logits")

returns_the_logits = mistake.edited("logits.softmax(dim=0).topk", "logits.topk",
    "You returned logits: softmax turns them into probabilities.")

log_probabilities = mistake.edited("logits.softmax(dim=0)", "logits.log_softmax(dim=0)",
    "You returned logarithms of probabilities: use softmax.")

sigmoids = mistake.edited("logits.softmax(dim=0)", "logits.sigmoid()",
    "The probabilities of all words don't sum to 1, as with a sigmoid of each logit: use softmax.")

the_least_likely = mistake.edited("len(words)))", "len(words)), largest=False)",
    "You returned the least likely words: take the largest probabilities.")

the_least_likely_first = mistake.edited(PAIRS, PAIRS + "[::-1]",
    "The words are in rising order: the most likely one comes first.")

in_the_order_of_the_words = mistake.edited(PAIRS, "[(words[i], p) for i, p in sorted(zip(likely.indices.tolist(), likely.values.tolist()))]",
    "The words are in the order of the vocabulary: the most likely one comes first.")

the_first_words = mistake.edited("(words[i], p)", "(words[likely.indices.tolist().index(i)], p)",
    "The probabilities are right, but the words are the first ones of the list: look up the index that belongs to each probability.")

ids_in_place_of_words = mistake.edited("(words[i], p)", "(i, p)",
    "You returned the numbers of the words: look them up in words.")

probability_first = mistake.edited("(words[i], p)", "(p, words[i])",
    "The pairs are the wrong way round: the word comes first.")

tensors_in_the_pairs = mistake.edited("likely.values.tolist()", "likely.values",
    "The probabilities are tensors: make Python floats with tolist() or item().",
    common=True)

too_large_a_k = mistake.edited("min(k, len(words))", "k",
    "There is an error if k is larger than the number of words: take at most as many as there are, for example with min.",
    about="a_large_k_returns_all_words")


by_gather = alternative.edited(LAST, "logits.gather(1, (lengths - 1)[:, None, None].expand(-1, 1, logits.shape[2])).squeeze(1)",
    "One index for each sequence, expanded along the vocabulary.")


@alternative("last_logits")
def one_after_the_other(logits, lengths):
    """A loop over the sequences."""
    rows = []
    for i, n in enumerate(lengths):
        rows.append(logits[i, int(n) - 1])
    return torch.stack(rows)


@alternative("next_words")
def sorted_pairs(logits, words, k):
    """All pairs are sorted, and cut."""
    p = torch.nn.functional.softmax(logits, dim=-1).tolist()
    ranked = sorted(range(len(words)), key=lambda i: -p[i])
    return [(words[i], p[i]) for i in ranked][:k]


by_argsort = alternative.edited(PAIRS, "[(words[int(i)], float(likely[i])) for i in likely.argsort(descending=True)[:k]]",
    "Indices in falling order, and a slice that may be too long.",
    also=[(LIKELY, "torch.softmax(logits, -1)")])
