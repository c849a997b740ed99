"""Known mistakes and unusual but correct solutions for NoisySignals and seed_worker."""

import torch
from ex10_worker_noise import NoisySignals

from torchdojo.variants import alternative, mistake

LOADER = "a loader has seeded this generator already"
ANY_SEED = "any seed below 2**32 will do that differs by worker and epoch"
EQUIVALENT = {
    "add_detach: self.signals = signals.detach()": "data have no history",
    "change_sign: return signal - self.noise * torch.randn(signal.shape, dtype=signal.dtype)": "the normal distribution is symmetric",
    "swap_operands: seed = torch.initial_seed() % 32 ** 2": ANY_SEED,
    "change_number: seed = torch.initial_seed() % 2**31": ANY_SEED,
    "drop_call: without random.seed(seed)": LOADER,
    "drop_call: without np.random.seed(seed)": LOADER,
    "swap_statements: np.random.seed(seed)": "two generators that have nothing to do with each other",
}

HINTS = (
    "Two places decide what a worker draws. Where does the state of each random generator come from when a new worker starts?",
    "The dataset is copied into each worker, with everything in it. The loader has already seeded torch's global generator in each worker and "
    "epoch, so don't overwrite that seed: derive the others from it.",
    "Draw the noise without a generator argument, and remove the one in __init__. In seed_worker, leave torch alone; what does "
    "torch.initial_seed() % 2**32 return in a worker, and which two generators need it?",
)

RANDN = "torch.randn(signal.shape, dtype=signal.dtype)"
OWN = "torch.randn(signal.shape, generator=self.generator, dtype=signal.dtype)"
SEED = "seed = torch.initial_seed() % 2**32"

as_it_was = mistake.edited(
    RANDN, OWN,
    "The code does what it did before: workers copy the generator in the dataset, and seed_worker gives them the same seeds in every epoch.",
    also=[
        ("self.noise = noise", "self.noise = noise\nself.generator = torch.Generator().manual_seed(0)"),
        (SEED, "seed = worker_id\ntorch.manual_seed(seed)"),
    ], about="a_loader_with_both_has_new_noise")

keeps_the_generator = mistake.edited(
    RANDN, OWN,
    "The noise comes from a generator in the dataset, and each worker has a copy of it, so all draw the same: use torch's global generator.",
    also=[("self.noise = noise", "self.noise = noise\nself.generator = torch.Generator().manual_seed(torch.initial_seed() % 1000)")],
    about="workers_draw_different_noise", common=True,
    pitfall="A generator in the dataset is copied")

seeds_everything_by_the_id = mistake.edited(
    SEED, "seed = worker_id\ntorch.manual_seed(seed)",
    "All three generators get the worker's number as their seed, which is the same in every epoch: derive the seeds from torch.initial_seed(), and don't "
    "seed torch again.",
    about="generators_are_seeded_anew", common=True,
    pitfall="A seed that depends only on worker_id")

seeds_others_by_the_id = mistake.edited(
    SEED, "seed = worker_id",
    "Python and NumPy get the worker's number as their seed, so in every epoch they draw the same numbers: use torch.initial_seed() % 2**32.",
    about="generators_are_seeded_anew", common=True)

seeds_all_with_a_constant = mistake.edited(
    SEED, "seed = 42\ntorch.manual_seed(seed)",
    "All workers have the same seed, so all draw the same numbers: a constant in seed_worker undoes what the loader did.",
    about="generators_are_seeded_anew", common=True)

forgets_the_modulo = mistake.edited(
    SEED, "seed = torch.initial_seed()",
    "NumPy raises an error, because its seeds must be below 2**32: take torch.initial_seed() % 2**32.",
    about="generators_are_seeded_anew", common=True)

adds_the_id = mistake.edited(
    SEED, "seed = (torch.initial_seed() - worker_id) % 2**32",
    "Both workers draw the same numbers in an epoch with Python and NumPy: torch.initial_seed() already differs by worker, and subtracting worker_id undoes that.",
    about="generators_are_seeded_anew")

leaves_numpy_to_the_id = mistake.edited(
    "np.random.seed(seed)", "np.random.seed(worker_id)",
    "NumPy gets the worker's number as its seed, so in every epoch it draws the same numbers: use the same seed as for Python.",
    about="generators_are_seeded_anew")

draws_the_noise_once = mistake.edited(
    RANDN, "self.drawn[i]",
    "Each signal has the same noise in every epoch, because it was drawn once, before any request: draw it in __getitem__.",
    also=[("self.noise = noise", "self.noise = noise\nself.drawn = torch.randn(signals.shape, dtype=signals.dtype)")],
    about="workers_draw_different_noise")

seeds_by_the_index = mistake.edited(
    RANDN, "torch.randn(signal.shape, generator=torch.Generator().manual_seed(i), dtype=signal.dtype)",
    "Signal i has the same noise whenever it is requested: draw new numbers each time, without a seed of your own.",
    about="the_noise_has_the_right_size")

one_number_for_all = mistake.edited(
    "torch.randn(signal.shape, ", "torch.randn((), ",
    "One random number was added to the whole signal: draw one for each element.",
    about="the_noise_has_the_right_size")

uniform_noise = mistake.edited(
    "torch.randn(", "torch.rand(",
    "The noise is uniform, between 0 and 1: torch.randn draws normally distributed numbers.",
    about="the_noise_has_the_right_size")

forgets_the_factor = mistake.edited(
    "self.noise * torch", "torch",
    "noise has no effect: multiply the random numbers by it.",
    about="the_noise_has_the_right_size")

writes_into_the_signals = mistake.edited(
    "return signal + self.noise * torch.randn(signal.shape, dtype=signal.dtype)", "return signal.add_(torch.randn(signal.shape, dtype=signal.dtype), alpha=self.noise)",
    "The noise was added to signals itself, so it grows with each request: return a new tensor.",
    about="the_noise_has_the_right_size")

forgets_the_dtype = mistake.edited(
    ", dtype=signal.dtype", "",
    "The noise is float32, so an item of 16-bit signals is float32, too: draw the noise in the dtype of the signal.",
    about="without_noise_the_signals_come")

noise_from_numpy = mistake.edited(
    RANDN, "torch.from_numpy(np.random.standard_normal(tuple(signal.shape))).to(signal.dtype)",
    "torch.manual_seed doesn't decide about the noise, because NumPy draws it: draw it with torch.randn.",
    about="the_seed_decides_about_the_noise")


leaves_it_to_the_loader = alternative.edited(
    "seed = torch.initial_seed() % 2**32\nrandom.seed(seed)\nnp.random.seed(seed)", "pass",
    "A loader seeds Python and NumPy as well, so there is nothing to do.")

seeds_from_torchs_numbers = alternative.edited(
    SEED, "seed = torch.randint(2**32, ()).item()",
    "Seeds drawn from torch's generator.")


@alternative("NoisySignals")
class NoiseInPlaceOfACopy(NoisySignals):
    """A clone that is changed in place, with random numbers of its own kind."""

    def __getitem__(self, i):
        signal = self.signals[i].clone()
        return signal.add_(torch.empty_like(signal).normal_(), alpha=self.noise)
