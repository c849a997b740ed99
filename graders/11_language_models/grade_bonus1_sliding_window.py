"""Hidden checks for the sliding window: the mask, the slots, and the attention of each position over its own window."""

import torch

from torchdojo.grading import built, check, replaced, shares_memory, tensor

CONCEPTS = ("L27",)

KEPT = {
    "positions_have_their_slots": "the ring, worth points without attention",
    "each_position_attends_to_its_window": "one position at a time is the task, several are for full marks",
    "results_are_on_the_device": "a slip that shows on another device costs this check alone",
}


class oracle:
    """All positions in lists; each result over its own window."""

    def window_mask(queries, keys, window):
        rows = [[key in range(max(query - window + 1, 0), query + 1) for key in keys.tolist()] for query in queries.tolist()]
        return torch.tensor(rows, device=queries.device)

    class RingCache:
        def __init__(self, batch, heads, window, width, dtype=None, device=None):
            self.keys, self.values = torch.zeros(2, batch, heads, window, width, dtype=dtype, device=device)
            self.positions = torch.tensor([-1] * window, device=device)
            self.seen, self.all_keys, self.all_values = 0, [], []

        def write(self, keys, values):
            for key, value in zip(keys.unbind(2), values.unbind(2), strict=True):
                slot = self.seen % len(self.positions)
                self.keys[:, :, slot], self.values[:, :, slot], self.positions[slot] = key, value, self.seen
                self.all_keys.append(key)
                self.all_values.append(value)
                self.seen += 1

        def attend(self, q, k, v):
            results = []
            for t in range(q.shape[2]):
                self.write(k[:, :, t : t + 1], v[:, :, t : t + 1])
                keys, values = (torch.stack(every[-len(self.positions) :], 2) for every in (self.all_keys, self.all_values))
                scores = (q[:, :, t, None] * keys).sum(-1) / q.shape[-1] ** 0.5
                results.append((scores.softmax(-1)[..., None] * values).sum(2))
            return torch.stack(results, 2)


def cache_of(solution, x, window):
    return solution.RingCache(x.shape[0], x.shape[1], window, x.shape[3], dtype=x.dtype, device=x.device)


def state(cache):
    return {"keys": cache.keys.clone(), "values": cache.values.clone(), "positions": cache.positions.clone(), "seen": cache.seen}


def right_mask(queries, keys, window):
    return (keys <= queries[:, None]) & (keys > queries[:, None] - window) & (keys > -1)


def in_pieces(solution, cache, sizes, *whole):
    """The results of pieces of these sizes, over and over, if the mask is right."""
    results, start = [], 0
    with replaced(solution, window_mask=right_mask):
        while start < whole[0].shape[2]:
            end = start + sizes[len(results) % len(sizes)]
            results.append(cache.attend(*(x[:, :, start:end] for x in whole)))
            start = end
    return torch.cat(results, 2)


def slots(case):
    """Positions in any order, -1 for empty slots; position 0 is the last."""
    found = [*range(1, 9), -1, -1]
    case.rng.shuffle(found)
    return torch.tensor([*found[: case.size("slots") + 3], 0])


Q, K, V = (tensor("batch heads time+4 width") for _ in "qkv")
LEAST = {"batch": 1, "heads": 1, "time": 1, "width": 1}


@check(points=3, queries=[torch.tensor([5, 6]), torch.tensor([8]), torch.tensor([0, 3, 1])], keys=built(slots, axes="slots"), window=[3, 2, 6, 1], devices=False)
def masks_follow_the_positions(solution, queries, keys, window):
    """A query reads its own position and the window - 1 before it, and no empty slot."""
    return solution.window_mask(queries, keys, window)


@check(points=2, k=K, v=V, window=[3, 2, 4], minimum=LEAST, devices=False)
def positions_have_their_slots(solution, k, v, window):
    """After each position, keys, values and positions are in their slots."""
    cache, states = cache_of(solution, k, window), []
    for key, value in zip(k.split(1, 2), v.split(1, 2), strict=True):
        cache.write(key, value)
        states.append(state(cache))
    return states


@check(points=3, q=Q, k=K, v=V, window=[3, 2, 4], minimum=LEAST, devices=False)
def each_position_attends_to_its_window(solution, q, k, v, window):
    """One position at a time, each result is the attention over the position's window."""
    return in_pieces(solution, cache_of(solution, q, window), [1], q, k, v)


@check(points=1, q=Q, k=K, v=V, window=[3, 2], minimum=LEAST, devices=False, beside=True)
def the_cache_does_not_grow(solution, q, k, v, window):
    """The cache keeps its tensors, however many positions come."""
    cache = cache_of(solution, q, window)
    before = cache.keys, cache.values
    result = in_pieces(solution, cache, [1], q, k, v)
    return result, {
        "self.keys and self.values have the memory of the beginning": shares_memory(cache.keys, before[0]) and shares_memory(cache.values, before[1]),
        "slots afterwards": cache.keys.shape[2],
    }


@check(points=1, star=True, q=Q, k=K, v=V, window=[2, 3, 1], minimum=LEAST, devices=False)
def several_positions_at_once(solution, q, k, v, window):
    """Pieces of any length have the results of single positions, and leave the last ones in the cache."""
    cache = cache_of(solution, q, window)
    return {"results": in_pieces(solution, cache, [1, 2, window + 1], q, k, v), **state(cache)}


@check(points=1, star=True, q=Q, k=K, v=V, minimum=LEAST, about_device=True, beside=True)
def results_are_on_the_device(solution, q, k, v):
    """The results and the mask are on the device of the queries."""
    cache = cache_of(solution, q, 3)
    mask = solution.window_mask(torch.arange(2, device=q.device), torch.arange(3, device=q.device), 2)
    return in_pieces(solution, cache, [1], q, k, v), {"device of the mask": mask.device}
