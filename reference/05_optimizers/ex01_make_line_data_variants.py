"""Known mistakes and unusual but correct solutions for make_line_data."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "The result must not depend on torch.manual_seed. Where does each of your random numbers come from?",
    "torch.randn accepts generator= and device=. Two calls, the inputs first, then the errors; the targets "
    "are plain arithmetic on the two tensors.",
    "Draw a column of n inputs from the generator, then a column of n errors in the same way. Multiply, "
    "add, and add the errors times noise. Both draws need one more argument besides generator=, for "
    "generators on other devices.",
)


draws_from_the_global_state = mistake.edited("X = torch.randn(n, 1, generator=generator,", "X = torch.randn(n, 1,",
    "Your numbers come from torch's global random state, not from the generator: give generator= to both draws.",
    also=[("errors = torch.randn(n, 1, generator=generator,", "errors = torch.randn(n, 1,")],
    about=("x_is_the_first_draw", "errors_are_the_second_draw", "global_random_state_is_left_alone"))

errors_from_the_global_state = mistake.edited(
    "errors = torch.randn(n, 1, generator=generator, device=generator.device)", "errors = torch.randn_like(X)",
    "X comes from the generator, but the errors come from torch's global random state: draw them with "
    "torch.randn and generator=, too.",
    about=("errors_are_the_second_draw", "global_random_state_is_left_alone"))

flat_targets = mistake.edited("w * X + b + noise * errors", "(w * X + b + noise * errors).squeeze(1)",
    "y has shape (n,): give it the shape of X, (n, 1), or the loss broadcasts a row against a column.",
    pitfall="Targets of shape (n,)")

seeds_the_generator = mistake.edited("X = torch.randn(", "generator.manual_seed(42)\nX = torch.randn(",
    "Every call gives the same points, as from a generator that is seeded inside the function: seeding is the caller's job.")

rewinds_the_generator = mistake.edited("X = torch.randn(", "state = generator.get_state()\nX = torch.randn(",
    "After the call the generator is in the state from before, so the next call gives the same points: draw from the "
    "generator itself, and let it advance.",
    also=[("return X, w", "generator.set_state(state)\nreturn X, w")])

draws_errors_first = mistake.edited("X = torch.randn(", "errors = torch.randn(",
    "Your errors are the generator's first draw, which belongs to X: draw X first, then the errors.",
    also=[("errors = torch.randn(", "X = torch.randn(")])

uniform_errors = mistake.edited("errors = torch.randn(", "errors = torch.rand(",
    "The errors lie between 0 and 1, so they push every point up: use randn (around 0), not rand.")

skips_the_second_draw = mistake.edited("errors = torch.randn(",
    """
    if noise == 0:
        return X, w * X + b
    errors = torch.randn(
    """,
    "With noise 0 no errors were drawn, so the generator's next numbers differ: draw them in every case.")

swaps_slope_and_intercept = mistake.edited("w * X + b + noise", "b * X + w + noise",
    "w and b are swapped: w multiplies X, b is added.")

fills_over_global_numbers = mistake.edited("X = torch.randn(n, 1, generator=generator, device=generator.device)",
    "X = torch.randn(n, 1, device=generator.device).normal_(generator=generator)",
    "Something else draws from torch's global random state. Draw only X and the errors, both "
    "with generator=.",
    also=[("errors = torch.randn(n, 1, generator=generator, device=generator.device)",
        "errors = torch.randn_like(X).normal_(generator=generator)")])

draws_everything_at_once = mistake.edited(
    """
    X = torch.randn(n, 1, generator=generator, device=generator.device)
    errors = torch.randn(n, 1, generator=generator, device=generator.device)
    """,
    """
    both = torch.randn(2 * n, 1, generator=generator, device=generator.device)
    X, errors = both[:n].clone(), both[n:]
    """,
    "You drew all 2 n numbers at once, which are not always the numbers of two calls: draw n, then n again.")

draws_on_the_cpu_and_moves = mistake.edited("X = torch.randn(n, 1, generator=generator, device=generator.device)",
    "X = torch.randn(n, 1, generator=generator).to(generator.device)",
    "A generator draws for its own device only, and you don't create the tensors there: give device=generator.device, too.",
    also=[("errors = torch.randn(n, 1, generator=generator, device=generator.device)",
        "errors = torch.randn(n, 1, generator=generator).to(generator.device)")])


@mistake("make_line_data")
def takes_a_cpu_generator_with_the_same_seed(n, w, b, noise, *, generator):
    """On a device other than the CPU, your numbers don't come from the generator that was passed: give torch.randn the
    generator itself and its device."""
    if generator.device.type == "cpu":
        ours = generator
    else:
        ours = torch.Generator().manual_seed(generator.initial_seed())
    X, errors = (torch.randn(n, 1, generator=ours).to(generator.device) for _ in range(2))
    return X, w * X + b + noise * errors


@alternative("make_line_data")
def fills_empty_tensors(n, w, b, noise, *, generator):
    """Allocate first, then draw in place with normal_."""
    X = torch.empty(n, 1, device=generator.device).normal_(generator=generator)
    errors = torch.empty(n, 1, device=generator.device).normal_(generator=generator)
    return X, X.mul(w).add(b).add(errors.mul(noise))


@alternative("make_line_data")
def draws_vectors_then_unsqueezes(n, w, b, noise, *, generator):
    """Two vectors, made into columns at the end."""
    settings = {"generator": generator, "device": generator.device}
    x, errors = torch.randn(n, **settings), torch.randn(n, **settings)
    y = w * x + b + noise * errors
    return x.unsqueeze(-1), y[:, None]

draws_one_error = mistake.edited("errors = torch.randn(n, 1,", "errors = torch.randn(1,",
    "All points have the same error: draw n errors, one for each point.")

spaces_the_inputs_evenly = mistake.edited("X = torch.randn(n, 1, generator=generator, device=generator.device)",
    "X = torch.linspace(-1, 1, n, device=generator.device).unsqueeze(1)",
    "Your inputs are evenly spaced, so the errors get the generator's first draw: draw X from the generator with torch.randn first.")

draws_uniform_inputs = mistake.edited("X = torch.randn(", "X = torch.rand(",
    "Your inputs are uniform numbers between 0 and 1: draw them with torch.randn, which gives normal ones.")

ignores_noise = mistake.edited("noise * errors", "errors",
    "noise has no effect: multiply the errors by noise.")

adds_the_noise_to_the_inputs = mistake.edited("w * X + b + noise * errors", "w * (X + noise * errors) + b",
    "You added the noise to the inputs, so w multiplies it, too: add noise * errors to w * X + b.")

takes_noise_for_a_variance = mistake.edited("noise * errors", "noise ** 0.5 * errors",
    "You multiplied the errors by the square root of noise: multiply them by noise itself.")

seeds_torch = mistake.edited("X = torch.randn(", "torch.manual_seed(0)\nX = torch.randn(",
    "You seeded torch's global random state, which belongs to the caller: the generator is all that you need.")

draws_both_columns_at_once = mistake.edited(
    """
    X = torch.randn(n, 1, generator=generator, device=generator.device)
    errors = torch.randn(n, 1, generator=generator, device=generator.device)
    """,
    """
    both = torch.randn(n, 2, generator=generator, device=generator.device)
    X, errors = both[:, :1], both[:, 1:]
    """,
    "You drew X and the errors together, as the two columns of one draw: draw n inputs first, then n errors in a second call.")
