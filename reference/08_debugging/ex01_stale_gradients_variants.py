"""Known mistakes and unusual but correct solutions for fit_batches."""

from torchdojo.variants import alternative, mistake

HINTS = (
    "Write down, for the second batch, which gradients are in .grad at the moment when opt.step() reads them.",
    "backward() adds to .grad, and step() uses whatever is there. One step needs: nothing old in .grad, "
    "the new gradient in .grad, then the step.",
    "Inside the loop, in this order: clear the gradients of the optimizer, compute the loss, go backward, "
    "step, note the loss. Two of these lines are in the file in the wrong order, and one is missing.",
)

EQUIVALENT = {
    "swap_statements-L16-1": "the loss was computed before the step, so item() gives the same before and after it",
}


steps_before_backward = mistake.edited("opt.zero_grad()", "",
    "step() comes before backward(), and nothing clears .grad: each step uses the sum of all earlier gradients. Per batch: "
    "clear, backward, step.",
    also=[("loss.backward()\nopt.step()", "opt.step()\nloss.backward()")])

only_swaps_the_two_lines = mistake.edited("opt.zero_grad()", "",
    "backward() adds to .grad, and nothing clears it between the batches: each step uses the sum of all gradients so far. "
    "Clear them for each batch.")

looks_through_the_batches_first = mistake.edited("losses = []",
    """
    losses = []
    if not list(batches):
        return losses
    """,
    "A generator of batches gives you an empty list. One reason: whatever takes batches from it before the loop, even to count them, uses them up.")

zeroes_once_before_the_loop = mistake.edited("losses = []", "losses = []\nopt.zero_grad()",
    "backward() adds to .grad, and nothing clears it between the batches: each step uses the sum of all gradients so far. "
    "Clear them for each batch.",
    also=[("opt.zero_grad()", "")])

zeroes_between_backward_and_step = mistake.edited("opt.step()", "opt.zero_grad()\nopt.step()",
    "No weight moves, because .grad is empty when step() runs: clear first, then call backward(), then step().")

zeroes_only_after_the_step = mistake.edited("opt.zero_grad()", "",
    "The first batch still uses gradients that were in .grad before the call: clear them before the first backward too.",
    also=[("opt.step()", "opt.step()\nopt.zero_grad()")])

steps_with_the_gradient_of_the_batch_before = mistake.edited("losses = []", "losses = []\nopt.zero_grad()",
    "Each step uses the gradient of the batch before: step() comes before backward().",
    also=[
        ("opt.zero_grad()", ""),
        ("loss.backward()\nopt.step()",
        """
        opt.step()
        opt.zero_grad()
        loss.backward()
        """),
    ])

lowers_the_learning_rate = mistake.edited("losses = []",
    """
    losses = []
    for group in opt.param_groups:
        group["lr"] /= 100
    """,
    "A smaller learning rate makes the swings smaller, but the gradients still pile up: restore the learning rate and clear .grad for each batch.",
    also=[("opt.zero_grad()", "")],
    about=("each_step_has_its_own_gradient", "leaves_the_rest_alone"),
    pitfall="A smaller learning rate")

clips_the_piled_up_gradients = mistake.edited("opt.zero_grad()", "",
    "Clipping shortens the gradient, but the old gradients are still part of it: clear .grad for each batch.",
    also=[("opt.step()", "torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)\nopt.step()")])

returns_the_loss_after_the_step = mistake.edited(
    "losses.append(loss.item())", "losses.append(loss_fn(model(inputs), targets).item())",
    "The returned loss was computed again after the step: return the loss that the step was made from.")

returns_tensors = mistake.edited("loss.item()", "loss.detach()",
    "The list holds tensors: turn each loss into a Python float with item().")

calls_zero_underscore_on_none = mistake.edited(
    "opt.zero_grad()", "for parameter in model.parameters():\n    parameter.grad.zero_()",
    ".grad can be None before the first backward, and None has no zero_(): opt.zero_grad() takes care of both.")

switches_to_train_mode = mistake.edited("losses = []", "losses = []\nmodel.train()",
    "The mode of the model was changed: this function uses the model in the mode it is in.")

ends_with_a_smaller_learning_rate = mistake.edited("return losses",
    """
    for group in opt.param_groups:
        group["lr"] *= 0.9
    return losses
    """,
    "The learning rate is smaller at the end than it was: the settings of opt belong to the caller, so leave them as they are.")

steps_by_hand = mistake.edited("opt.zero_grad()", "model.zero_grad()",
    "The weights move without opt.step(): opt knows about momentum and Adam, and which parameters to leave alone, so let opt.step() make the step.",
    also=[("opt.step()",
        """
        with torch.no_grad():
            for parameter in model.parameters():
                parameter -= opt.param_groups[0]["lr"] * parameter.grad
        """)])

passes_over_a_loss_of_zero = mistake.edited("loss.backward()\nopt.step()",
    """
    if loss.item() > 0:
        loss.backward()
        opt.step()
    """,
    "You skipped a batch whose loss is not above 0: call opt.step() once for each batch, whatever its loss is.")

passes_over_a_loss_of_nan = mistake.edited("loss.backward()\nopt.step()",
    """
    if torch.isfinite(loss):
        loss.backward()
        opt.step()
    """,
    "You skipped a batch whose loss is nan: call opt.step() once for each batch, so that nan in the losses stays visible.")

takes_nan_out_of_the_gradients = mistake.edited("opt.step()",
    """
    for parameter in model.parameters():
        parameter.grad.nan_to_num_()
    opt.step()
    """,
    "A loss that is nan leaves no nan in the weights: a step uses the gradient of the loss as it is, so that nan stays visible.")

clears_the_first_group_only = mistake.edited(
    "opt.zero_grad()", 'for parameter in opt.param_groups[0]["params"]:\n    parameter.grad = None',
    "Only the parameters of the first group were cleared: an optimizer may have several groups, and opt.zero_grad() reaches "
    "them all.")

multiplies_old_gradients_by_zero = mistake.edited("opt.zero_grad()",
    """
    for parameter in model.parameters():
        if parameter.grad is not None:
            parameter.grad *= 0
    """,
    "A nan in an old gradient is still there, because nan times 0 is nan, and so is nan minus nan: opt.zero_grad() clears "
    ".grad whatever it holds.")

lets_the_inputs_require_grad = mistake.edited("model(inputs)", "model(inputs.requires_grad_())",
    "The caller's inputs require grad afterwards, and have a .grad: only the weights need a gradient, so leave the inputs as they are.")


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


sets_each_grad_to_none = alternative.edited("opt.zero_grad()", "",
    "Clears by hand, between forward and backward.",
    also=[("loss.backward()",
        """
        for group in opt.param_groups:
            for parameter in group["params"]:
                parameter.grad = None
        loss.backward()
        """)])

clears_before_the_loop_and_after_each_step = alternative.edited(
    "losses = []", "losses = []\nmodel.zero_grad(set_to_none=False)",
    "Starts clean and leaves each step clean, with zeros in place of None.",
    also=[("opt.zero_grad()", ""), ("opt.step()", "opt.step()\nmodel.zero_grad(set_to_none=False)")])

asks_autograd_for_the_gradients = alternative.edited(
    "losses = []", 'losses = []\nparameters = [p for group in opt.param_groups for p in group["params"] if p.requires_grad]',
    "Computes the gradients without backward() and puts them in place.",
    also=[("loss.backward()",
        """
        for parameter, grad in zip(parameters, torch.autograd.grad(loss, parameters), strict=True):
            parameter.grad = grad
        """)])

steps_once_at_the_end = mistake.edited("opt.step()\nlosses", "losses",
    "opt.step() runs once, after the loop: make one step for each batch.",
    also=[("return losses", "opt.step()\nreturn losses")])

divides_by_the_samples = mistake.edited("loss.item()", "loss.item() / len(inputs)",
    "You divided the loss by the number of samples: return each loss as loss_fn gives it.")

returns_the_mean_so_far = mistake.edited("losses.append(loss.item())", "losses.append((sum(losses) + loss.item()) / (len(losses) + 1))",
    "The list holds averages: append the loss of each batch alone.")

rounds_the_losses = mistake.edited("loss.item()", "round(loss.item(), 4)",
    "The losses are rounded: return them with all their digits.")

takes_no_step = mistake.edited("opt.step()\nlosses", "losses",
    "No weight moves: call opt.step() after backward(), once for each batch.")
