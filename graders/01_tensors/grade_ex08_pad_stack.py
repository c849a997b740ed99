"""Hidden checks for pad_stack."""

import torch

from torchdojo.grading import built, check, default_dtype, gradients, upstream

CONCEPTS = ("A04", "C10")

KEPT = {
    "pad_is_any_number_and_the_mask_knows_lengths": "the mask, said by itself",
    "integers_stay_integers": "the dtype rule, said by itself",
    "default_dtype_does_not_matter": "the default dtype, said by itself",
    "sequences_are_filled_up_at_the_end": "the values themselves, worth points without gradients",
    "empty_sequences_are_only_filling": "the smallest inputs, said by themselves",
    "the_list_is_not_changed": "a promise of the exercise, said by itself",
}


class oracle:
    """Row by row."""

    def pad_stack(seqs, pad=0.0):
        longest = max(len(s) for s in seqs)
        padded = seqs[0].new_full((len(seqs), longest, seqs[0].shape[1]), pad)
        mask = torch.zeros(len(seqs), longest, dtype=torch.bool, device=seqs[0].device)
        for b, s in enumerate(seqs):
            for t in range(len(s)):
                padded[b, t] = s[t]
                mask[b, t] = True
        return padded, mask


def ragged(lengths, dtype="float"):
    """Sequences of these lengths, (length, features) each, in the layout of the case."""
    return lambda case: [case.tensor([n, case.size("features")], dtype=dtype) for n in lengths]


def spec(*lengths, dtype="float"):
    return built(ragged(lengths, dtype), "features")


def one_of(*lists):
    """Sequences of one of these lists of lengths, in turn."""
    return built(lambda case: ragged(lists[case.number % len(lists)])(case), "features")


@check(points=2, seqs=one_of((3, 1, 4), (2, 5), (4,), (1, 3, 2, 6, 1, 5, 4)), minimum=1)
def sequences_are_filled_up_at_the_end(solution, seqs):
    """Shorter sequences are filled up at the end; the mask says what is real."""
    return solution.pad_stack(seqs)


@check(points=1, seqs=one_of((0, 3, 2), (0, 0), (0,), (1, 0)), minimum=1)
def empty_sequences_are_only_filling(solution, seqs):
    """A length may be 0, and every length may be 0."""
    return solution.pad_stack(seqs, 2.0)


@check(points=2, seqs=spec(2, 0, 4, 1), pad=[-1.5, float("inf"), float("nan"), 1.0, 0.0, 0.1], minimum=1)
def pad_is_any_number_and_the_mask_knows_lengths(solution, seqs, pad):
    """Added rows hold pad; a real row that looks like pad is still real."""
    seqs[0], seqs[3] = torch.full_like(seqs[0], pad), torch.full_like(seqs[3], float("inf"))
    return {"by place": solution.pad_stack(seqs, pad), "by name": solution.pad_stack(seqs, pad=pad)}


@check(points=1, seqs=spec(3, 1, 2, dtype="int64"), small=spec(1, 2, dtype="int32"), pad=[-1.0, 0.0, 7], minimum=1)
def integers_stay_integers(solution, seqs, small, pad):
    """Integer sequences stay integers, exactly."""
    seqs[0] = seqs[0] + 2**53 + 1
    return [solution.pad_stack(seqs, pad), solution.pad_stack(small, pad)]


@check(points=1, seqs=spec(2, 3, 1), minimum=1, dtypes=("float64",))
def default_dtype_does_not_matter(solution, seqs):
    """The dtype is that of the sequences, whatever the default dtype."""
    narrow = [s.to(torch.float32) for s in seqs]
    with default_dtype(torch.float64):
        return [solution.pad_stack(narrow, 1.0), solution.pad_stack([s.half() for s in seqs], 1.0)]


@check(points=2, seqs=spec(2, 4, 1), learning=[(0, 1, 2), (1,), (2,), (0,)], minimum=1)
def gradients_reach_each_sequence(solution, seqs, learning, rng):
    """Gradients flow back to every sequence that asks for them, and only from its own rows."""
    for i in learning:
        seqs[i].requires_grad_()
    padded, mask = solution.pad_stack(list(seqs), 3.0)
    found = gradients(padded, [seqs[i] for i in learning], upstream(padded, rng))
    return {f"gradient of sequence {i}": g for i, g in zip(learning, found, strict=True)} | {"mask": mask}


@check(points=1, seqs=one_of((3, 2), (1, 2, 3, 4, 5, 6)), minimum=1)
def the_list_is_not_changed(solution, seqs):
    """The list of sequences keeps its tensors."""
    before = list(seqs)
    solution.pad_stack(seqs)
    return {"list unchanged": len(seqs) == len(before) and all(a is b for a, b in zip(seqs, before, strict=True))}
