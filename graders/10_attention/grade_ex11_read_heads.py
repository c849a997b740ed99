"""Hidden checks for most_read and mean_distance: the words of each head, distances, other axes."""

from torchdojo.grading import check, tensor

CONCEPTS = ("L13",)

KEPT = {"distances_are_averaged": "the task itself, worth points without other axes"}

WORDS = "the cat saw a dog in my old red car and ran to her house on top of that hill".split()


class oracle:
    """Sorted pairs, and a loop over queries and keys."""

    def most_read(weights, words):
        return [[max(zip(row, words, strict=True))[1] for row in head] for head in weights.tolist()]

    def mean_distance(weights):
        time = weights.shape[-1]
        rows = [sum(weights[..., i, j] * abs(i - j) for j in range(time)) for i in range(time)]
        return sum(rows) / time


@check(points=3, scores=tensor("heads queries keys", distinct=True), minimum=1)
def each_query_has_its_word(solution, scores):
    """Each head has the word with the largest weight of each query."""
    return solution.most_read(scores.softmax(dim=-1), WORDS[: scores.shape[-1]])


@check(points=2, scores=tensor("heads time time"), minimum=1)
def distances_are_averaged(solution, scores):
    """The distance of a head is the mean over its queries of the weighted distances to the keys."""
    return solution.mean_distance(scores.softmax(dim=-1))


@check(points=1, star=True, scores=tensor("... time time"), minimum=1)
def any_axes_in_place_of_heads(solution, scores):
    """Two axes in front of the queries, or none, give a distance for each of their elements."""
    return solution.mean_distance(scores.softmax(dim=-1))
