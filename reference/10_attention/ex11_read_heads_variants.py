"""Known mistakes and unusual but correct solutions for most_read and mean_distance."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "Which axis of the weights belongs to the keys? most_read looks for the largest number along it, and mean_distance adds up along it.",
    "argmax gives the positions of the largest weights, and tolist() turns them into numbers that index words. For the distances, "
    "subtract the positions as a column and as a row: broadcasting gives a table with a row for each query.",
    "most_read: argmax over dim=-1, tolist(), then a list of words in a list of heads. mean_distance: torch.arange on the device of weights, the "
    "absolute differences, times weights, summed over the keys, averaged over the queries.",
)
EQUIVALENT = {
    "drop_copy: return [[words[key] for key in keys] for keys in weights.argmax(dim=-1)]": "a whole number in a tensor is an index, too",
    "change_number: positions = torch.arange(weights.shape[-2], device=weights.device)": "there are as many queries as keys",
    "in_place: distances = (positions[:, None] - positions).abs_()": "the differences are a new tensor",
    "swap_operands: distances = (positions - positions[:, None]).abs()": "a distance has no sign",
    "add_detach: distances = (positions[:, None] - positions).abs().detach()": "whole numbers have no gradient",
    "add_detach: return (weights * distances).sum(dim=-1).mean(dim=-1).detach()": "the task asks for a number to look at, without a gradient",
}
READ = "[[words[key] for key in keys] for keys in weights.argmax(dim=-1).tolist()]"
TABLE = "(positions[:, None] - positions).abs()"
MEAN = "(weights * distances).sum(dim=-1).mean(dim=-1)"


argmax_over_the_queries = mistake.edited("argmax(dim=-1)", "argmax(dim=-2)",
    "You looked for the largest weight over the queries, which tells who reads a key most: use the last axis, the keys.",
    common=True,
    pitfall="argmax over the queries")

the_least_read = mistake.edited("argmax(dim=-1)", "argmin(dim=-1)",
    "You returned the words with the smallest weights: use argmax.")

positions_in_place_of_words = mistake.edited("words[key] for", "key for",
    "You returned the positions of the keys: look them up in words.",
    common=True)

one_list_for_all_heads = mistake.edited(READ, "[words[key] for key in weights.argmax(dim=-1).flatten().tolist()]",
    "The words of all heads are in one list: make a list for each head, in a list.")

averages_the_heads = mistake.edited("weights.argmax", "weights.mean(dim=0, keepdim=True).argmax",
    "The heads were averaged before you looked: each head has its own words.")

first_head_only = mistake.edited("weights.argmax", "weights[:1].argmax",
    "Only the first head was read: there is a list for each head.")

swaps_heads_and_queries = mistake.edited("weights.argmax(dim=-1)", "weights.argmax(dim=-1).T",
    "Your result has a list for each query: it must have a list for each head, with a word for each query.")

as_many_queries_as_words = mistake.edited(READ, "[[words[head[i].argmax()] for i in range(len(words))] for head in weights]",
    "You counted the queries by the words, but those are the keys: the number of queries may differ.")

mean_over_the_keys = mistake.edited(MEAN, "(weights * distances).mean(dim=(-2, -1))",
    "The weighted distances of a query were averaged over the keys: the weights already sum to 1, so sum them, and average over the queries.",
    common=True,
    pitfall="A mean over the keys")

sum_over_the_queries = mistake.edited(MEAN, "(weights * distances).sum(dim=(-2, -1))",
    "The distances of the queries were added up: take their mean.")

signed_differences = mistake.edited(TABLE, "positions[:, None] - positions",
    "Distances before and after a query cancel out: take the absolute value of the differences.",
    common=True)

squared_distances = mistake.edited(TABLE, "(positions[:, None] - positions) ** 2",
    "The differences were squared: a distance is their absolute value.")

without_the_weights = mistake.edited(MEAN, "(weights * 0 + distances).mean(dim=(-2, -1))",
    "Your result doesn't depend on the weights: each distance counts as much as its weight.")

only_the_most_read_key = mistake.edited(MEAN, "(weights.argmax(dim=-1) - positions).abs().to(weights.dtype).mean(dim=-1)",
    "Only the key with the largest weight counts: all keys count, each with its weight.")

one_number_for_all_heads = mistake.edited(".mean(dim=-1)", ".mean()",
    "You returned one number for all heads: average over the queries only.")

mean_over_the_heads = mistake.edited(".mean(dim=-1)", ".mean(dim=0)",
    "You averaged over the heads and have a number for each query: average over the queries.")

positions_on_the_cpu = mistake.edited("weights.shape[-1], device=weights.device", "weights.shape[-1]",
    "The positions are on the CPU: create them on the device of weights.")

always_float32 = mistake.edited("(weights * distances)", "(weights.float() * distances)",
    "The result is always float32: it has the dtype of weights.")

axes_from_the_left = mistake.edited(MEAN, "(weights * distances).sum(dim=2).mean(dim=1)",
    "You counted the axes from the left, so there must be exactly one axis before the queries: count them from the right.",
    about="any_axes_in_place_of_heads")


@alternative()
def loops():
    """One head, one query and one key after the other."""

    def most_read(weights, words):
        result = []
        for head in weights:
            result.append([])
            for query in head:
                _, key = query.max(dim=0)
                result[-1].append(words[key])
        return result

    def mean_distance(weights):
        total = torch.zeros_like(weights[..., 0, 0])
        time = weights.shape[-1]
        for i in range(time):
            for j in range(time):
                total = total + weights[..., i, j] * abs(i - j) / time
        return total

    return {"most_read": most_read, "mean_distance": mean_distance}


by_einsum = alternative.edited(MEAN, 'torch.einsum("...ij,ij->...", weights, distances.to(weights.dtype)) / len(positions)',
    "One contraction over queries and keys.")

by_cdist = alternative.edited(TABLE, "torch.cdist(*[positions[:, None].to(weights.dtype)] * 2, p=1)",
    "The distances of the positions as points on a line.")

mapped = alternative.edited(READ, "[list(map(words.__getitem__, keys)) for keys in weights.topk(1).indices.squeeze(-1).tolist()]",
    "The largest one by topk, and the words by map.")
