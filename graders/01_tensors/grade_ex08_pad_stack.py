"""Hidden checks for pad_stack."""

import torch

from torchdojo.grading import built, check, gradients, upstream

CONCEPTS = ("A04", "C10")

KEPT = {
    "sequences_are_filled_up_at_the_end": "the values themselves, worth points without a mask",
    "the_mask_is_true_on_real_rows": "the mask, said by itself",
    "added_rows_hold_pad": "the argument pad, worth a point of its own",
    "both_results_lie_on_the_device": "a slip that shows on another device costs this check alone",
    "the_dtype_stays": "the dtype rule, said by itself",
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
    """Sequences of these lengths, (length, features) each, in the layout of the case. No element is 0, the default of pad."""
    return lambda case: [case.tensor([n, case.size("features")], dtype=dtype, avoid=[0.0]) for n in lengths]


def spec(*lengths, dtype="float"):
    return built(ragged(lengths, dtype), "features")


def one_of(*lists, dtype="float"):
    """Sequences of one of these lists of lengths, in turn."""
    return built(lambda case: ragged(lists[case.number % len(lists)], dtype)(case), "features")


ORDINARY = (3, 1, 4), (2, 5), (4,), (1, 3, 2, 6, 1, 5, 4)


@check(points=3, seqs=one_of(*ORDINARY, dtype="float32"), minimum=1, devices=False)
def sequences_are_filled_up_at_the_end(solution, seqs):
    """Shorter sequences are padded with zeros at the end."""
    return {"padded": solution.pad_stack(list(seqs))[0]}


@check(points=3, seqs=one_of(*ORDINARY, dtype="float32"), minimum=1, devices=False)
def the_mask_is_true_on_real_rows(solution, seqs):
    """The mask is True where a row comes from a sequence, and False at padding."""
    return {"mask": solution.pad_stack(list(seqs))[1]}


@check(points=1, seqs=spec(2, 4, 1, dtype="float32"), pad=[-1.5, 2.0], minimum=1, devices=False)
def added_rows_hold_pad(solution, seqs, pad):
    """Padding rows hold pad in every feature, passed by position or by name."""
    return {"by position": solution.pad_stack(list(seqs), pad)[0], "by name": solution.pad_stack(list(seqs), pad=pad)[0]}


@check(points=1, seqs=spec(2, 4, 1, dtype="float32"), pad=[-1.5, float("-inf"), float("inf"), 0.0], minimum=1, devices=False)
def rows_that_look_like_padding_are_real(solution, seqs, pad):
    """The mask depends only on lengths: a real row may hold the value pad."""
    seqs = [torch.full_like(seqs[0], pad), torch.cat([seqs[1][:3], torch.full_like(seqs[2], pad)]), seqs[2]]
    padded, mask = solution.pad_stack(seqs, pad)
    return {"padded": padded, "mask": mask}


@check(points=1, star=True, seqs=one_of((0, 3, 2), (0, 0), (0,), (1, 0), dtype="float32"), minimum=1, devices=False)
def sequences_may_be_empty(solution, seqs):
    """A length may be 0, and every length may be 0."""
    padded, mask = solution.pad_stack(list(seqs))
    return {"padded": padded, "mask": mask}


@check(points=1, star=True, seqs=spec(3, 1, 2, dtype="int64"), dtype=[torch.float64, torch.float16, torch.int64, torch.int32], minimum=1, devices=False)
def the_dtype_stays(solution, seqs, dtype):
    """padded has the dtype of the sequences: float64, float16 and integers are kept."""
    seqs = [s.to(dtype) + (2**53 + 1 if dtype == torch.int64 else 0) for s in seqs]
    return {"padded": solution.pad_stack(seqs)[0]}


@check(points=1, star=True, seqs=spec(2, 4, 1, dtype="float32"), learning=[(0, 1, 2), (1,), (2,), (0,)], minimum=1, devices=False)
def gradients_reach_each_sequence(solution, seqs, learning, rng):
    """Gradients flow back to every sequence that requires grad, and only from its own rows."""
    for i in learning:
        seqs[i].requires_grad_()
    padded = solution.pad_stack(list(seqs))[0]
    found = gradients(padded, [seqs[i] for i in learning], upstream(padded, rng))
    return {f"gradient of sequence {i}": g for i, g in zip(learning, found, strict=True)}


@check(points=1, star=True, seqs=one_of((3, 2), (1, 2, 3, 4, 5, 6), dtype="float32"), minimum=1, devices=False, beside=True)
def the_list_is_not_changed(solution, seqs):
    """The list of sequences does not change."""
    given = list(seqs)
    padded = solution.pad_stack(given)[0]
    unchanged = len(seqs) == len(given) and all(a is b for a, b in zip(seqs, given, strict=True))
    return padded.sum(), {"list unchanged": unchanged, "elements": padded.numel()}


@check(points=1, star=True, seqs=spec(2, 3, 1, dtype="float32"), minimum=1, about_device=True, beside=True)
def both_results_lie_on_the_device(solution, seqs):
    """padded and mask are on the device of the sequences."""
    padded, mask = solution.pad_stack(list(seqs))
    return {"elements": [padded.numel(), mask.numel()], "sum": padded.sum().item()}, {"devices": [padded.device, mask.device]}
