"""Known mistakes and odd-but-correct solutions for fit_batches."""

import torch
from ex01_stale_gradients import fit_batches

from torchdojo.variants import alternative, mistake

HINTS = (
    "Write down, for the second batch, which gradients lie in .grad at the moment when opt.step() reads them.",
    "backward() adds to .grad, and step() uses whatever lies there. One step needs: nothing old in .grad, "
    "the new gradient in .grad, then the step.",
    "Inside the loop, in this order: clear the gradients of the optimizer, compute the loss, go backward, "
    "step, note the loss. Two of these lines are in the file in the wrong order, and one is missing.",
)

EQUIVALENT = {
    "swap_statements-L16-1": "the loss was computed before the step, so item() gives the same before and after it",
}


@mistake("fit_batches")
def steps_before_backward(model, batches, loss_fn, opt):
    """step() comes before backward(), and nothing clears .grad: each step uses the sum of all earlier gradients. Per batch: clear,
    backward, step."""
    losses = []
    for inputs, targets in batches:
        loss = loss_fn(model(inputs), targets)
        opt.step()
        loss.backward()
        losses.append(loss.item())
    return losses


@mistake("fit_batches")
def only_swaps_the_two_lines(model, batches, loss_fn, opt):
    """backward() adds to .grad, and nothing clears it between the batches: each step uses the sum of all gradients so far. Clear them
    for each batch."""
    losses = []
    for inputs, targets in batches:
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses


@mistake("fit_batches")
def looks_through_the_batches_first(model, batches, loss_fn, opt):
    """You iterated over the batches before the loop, perhaps to count them, and a generator is empty after that:
    iterate once."""
    return fit_batches(model, batches, loss_fn, opt) if list(batches) else []


@mistake("fit_batches")
def zeroes_once_before_the_loop(model, batches, loss_fn, opt):
    """backward() adds to .grad, and nothing clears it between the batches: each step uses the sum of all gradients so far. Clear them
    for each batch."""
    opt.zero_grad()
    return only_swaps_the_two_lines(model, batches, loss_fn, opt)


@mistake("fit_batches")
def zeroes_between_backward_and_step(model, batches, loss_fn, opt):
    """When step() runs, .grad is empty, so no weight moves: compute the new gradient after clearing, and then
    step."""
    losses = []
    for inputs, targets in batches:
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        opt.zero_grad()
        opt.step()
        losses.append(loss.item())
    return losses


@mistake("fit_batches")
def zeroes_only_after_the_step(model, batches, loss_fn, opt):
    """The first batch still uses gradients that lay in .grad before the call: clear them before the first
    backward too."""
    losses = []
    for inputs, targets in batches:
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        opt.step()
        opt.zero_grad()
        losses.append(loss.item())
    return losses


@mistake("fit_batches")
def steps_with_the_gradient_of_the_batch_before(model, batches, loss_fn, opt):
    """Each step uses the gradient of the batch before: step() comes before backward()."""
    opt.zero_grad()
    losses = []
    for inputs, targets in batches:
        loss = loss_fn(model(inputs), targets)
        opt.step()
        opt.zero_grad()
        loss.backward()
        losses.append(loss.item())
    return losses


@mistake("fit_batches")
def lowers_the_learning_rate(model, batches, loss_fn, opt):
    """A smaller learning rate makes the swings smaller, but the gradients still pile up: put the learning
    rate back and clear .grad for each batch."""
    for group in opt.param_groups:
        group["lr"] /= 100
    return only_swaps_the_two_lines(model, batches, loss_fn, opt)


@mistake("fit_batches")
def clips_the_piled_up_gradients(model, batches, loss_fn, opt):
    """Clipping shortens the gradient, but the old gradients are still part of it: clear .grad for each batch."""
    losses = []
    for inputs, targets in batches:
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        losses.append(loss.item())
    return losses


@mistake("fit_batches")
def returns_the_loss_after_the_step(model, batches, loss_fn, opt):
    """The returned loss was computed again after the step: return the loss that the step was made from."""
    losses = []
    for inputs, targets in batches:
        opt.zero_grad()
        loss_fn(model(inputs), targets).backward()
        opt.step()
        losses.append(loss_fn(model(inputs), targets).item())
    return losses


@mistake("fit_batches")
def returns_tensors(model, batches, loss_fn, opt):
    """The list holds tensors: turn each loss into a Python float with item()."""
    losses = []
    for inputs, targets in batches:
        opt.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        opt.step()
        losses.append(loss.detach())
    return losses


@mistake("fit_batches")
def calls_zero_underscore_on_none(model, batches, loss_fn, opt):
    """.grad can be None before the first backward, and None has no zero_(): opt.zero_grad() takes care of
    both."""
    losses = []
    for inputs, targets in batches:
        for parameter in model.parameters():
            parameter.grad.zero_()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses


@mistake("fit_batches")
def switches_to_train_mode(model, batches, loss_fn, opt):
    """The mode of the model was changed: this function uses the model in the mode it is in."""
    model.train()
    return fit_batches(model, batches, loss_fn, opt)


@mistake("fit_batches")
def ends_with_a_smaller_learning_rate(model, batches, loss_fn, opt):
    """The learning rate is smaller at the end than it was: the settings of opt belong to the caller, leave them as they
    are."""
    losses = fit_batches(model, batches, loss_fn, opt)
    for group in opt.param_groups:
        group["lr"] *= 0.9
    return losses


@mistake("fit_batches")
def steps_by_hand(model, batches, loss_fn, opt):
    """The update is written by hand: opt knows about momentum and Adam, and which parameters to leave alone, so let
    opt.step() make the step."""
    losses = []
    for inputs, targets in batches:
        model.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter -= opt.param_groups[0]["lr"] * parameter.grad
        losses.append(loss.item())
    return losses


@mistake("fit_batches")
def passes_over_a_loss_of_zero(model, batches, loss_fn, opt):
    """You skipped a batch whose loss is not above 0: call opt.step() once for each batch, whatever its loss is."""
    losses = []
    for inputs, targets in batches:
        opt.zero_grad()
        loss = loss_fn(model(inputs), targets)
        if loss.item() > 0:
            loss.backward()
            opt.step()
        losses.append(loss.item())
    return losses


@mistake("fit_batches")
def passes_over_a_loss_of_nan(model, batches, loss_fn, opt):
    """You skipped a batch whose loss is nan: call opt.step() once for each batch, so that nan in the losses stays
    visible."""
    losses = []
    for inputs, targets in batches:
        opt.zero_grad()
        loss = loss_fn(model(inputs), targets)
        if torch.isfinite(loss):
            loss.backward()
            opt.step()
        losses.append(loss.item())
    return losses


@mistake("fit_batches")
def takes_nan_out_of_the_gradients(model, batches, loss_fn, opt):
    """nan was taken out of the gradients before the step: a step uses the gradient of the loss as it is, and what makes it nan has
    a cause of its own."""
    losses = []
    for inputs, targets in batches:
        opt.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        for parameter in model.parameters():
            parameter.grad.nan_to_num_()
        opt.step()
        losses.append(loss.item())
    return losses


@mistake("fit_batches")
def clears_the_first_group_only(model, batches, loss_fn, opt):
    """Only the parameters of the first group were cleared: an optimizer may have several groups, and opt.zero_grad()
    reaches them all."""
    losses = []
    for inputs, targets in batches:
        loss = loss_fn(model(inputs), targets)
        for parameter in opt.param_groups[0]["params"]:
            parameter.grad = None
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses


@mistake("fit_batches")
def multiplies_old_gradients_by_zero(model, batches, loss_fn, opt):
    """A nan in an old gradient is still there, because nan times 0 is nan, and so is nan minus nan:
    opt.zero_grad() clears .grad whatever it holds."""
    losses = []
    for inputs, targets in batches:
        loss = loss_fn(model(inputs), targets)
        for parameter in model.parameters():
            if parameter.grad is not None:
                parameter.grad *= 0
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses


@mistake("fit_batches")
def lets_the_inputs_require_grad(model, batches, loss_fn, opt):
    """The caller's inputs require grad afterwards, and have a .grad: only the weights need a gradient, leave the inputs as they are."""
    losses = []
    for inputs, targets in batches:
        opt.zero_grad()
        loss = loss_fn(model(inputs.requires_grad_()), targets)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses


@alternative("fit_batches")
def steps_with_a_closure(model, batches, loss_fn, opt):
    """The optimizer itself calls forward and backward."""
    losses = []

    def step(inputs, targets):
        opt.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        losses.append(float(loss.detach()))
        return loss

    for batch in batches:
        opt.step(lambda batch=batch: step(*batch))
    return losses


@alternative("fit_batches")
def sets_each_grad_to_none(model, batches, loss_fn, opt):
    """Clears by hand, between forward and backward."""
    losses = []
    for inputs, targets in batches:
        loss = loss_fn(model(inputs), targets)
        for group in opt.param_groups:
            for parameter in group["params"]:
                parameter.grad = None
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses


@alternative("fit_batches")
def clears_before_the_loop_and_after_each_step(model, batches, loss_fn, opt):
    """Starts clean and leaves each step clean, with zeros in place of None."""
    losses = []
    model.zero_grad(set_to_none=False)
    for inputs, targets in batches:
        loss = loss_fn(model(inputs), targets)
        losses.append(loss.item())
        loss.backward()
        opt.step()
        model.zero_grad(set_to_none=False)
    return losses


@alternative("fit_batches")
def asks_autograd_for_the_gradients(model, batches, loss_fn, opt):
    """Computes the gradients without backward() and puts them in place."""
    parameters = [p for group in opt.param_groups for p in group["params"] if p.requires_grad]
    losses = []
    for inputs, targets in batches:
        loss = loss_fn(model(inputs), targets)
        for parameter, grad in zip(parameters, torch.autograd.grad(loss, parameters), strict=True):
            parameter.grad = grad
        opt.step()
        losses.append(loss.item())
    return losses
