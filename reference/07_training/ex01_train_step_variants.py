"""Known mistakes and unusual but correct solutions for train_step."""

import torch  # noqa: F401 (for an edit)

from torchdojo.variants import alternative, mistake

HINTS = (
    "Write down the five things that happen to one batch, and ask of each: what has to be true before it?",
    "Gradients are added to what is in .grad, so it has to be cleared before backward(). The optimizer "
    "uses what is in .grad, so it has to come after backward(). Dropout and batch norm depend on the mode, so "
    "it has to be set before the forward pass.",
    "Set the mode, clear the gradients, compute the loss, call backward, let the optimizer step. One thing "
    "is left: turn the loss into a plain number. For full marks, find the device from one parameter and "
    "move both tensors there first.",
)


never_clears_gradients = mistake.edited("opt.zero_grad()", "",
    "Old gradients were still in .grad, and backward() added the new ones to them: clear them before backward().",
    common=True,
    pitfall="A loop that never clears them")

clears_only_after_the_step = mistake.edited("opt.zero_grad()", "",
    "Gradients from before the first call were part of the update: clear them before backward(), not only after step().",
    also=[("opt.step()", "opt.step()\nopt.zero_grad()")])

clears_the_first_group = mistake.edited(
    "opt.zero_grad()", 'for parameter in opt.param_groups[0]["params"]:\n    parameter.grad = None',
    "Only the parameters of the first group were cleared, so others kept gradients from before: opt.zero_grad() goes "
    "through all groups.")

learns_nothing = mistake.edited("opt.zero_grad()", "",
    "No parameter moved: step() found no gradients or was not called. The order is clear, forward, loss, backward, step, "
    "with nothing cleared between backward and step.",
    also=[("opt.step()", "opt.zero_grad()\nopt.step()")])

steps_with_the_gradients_from_before = mistake.edited(
    "loss.backward()\nopt.step()", "opt.step()\nopt.zero_grad()\nloss.backward()",
    "The optimizer stepped before backward(), so it used old gradients: step() comes last.",
    also=[("opt.zero_grad()", "")])

steps_twice = mistake.edited("opt.step()", "opt.step()\nopt.step()",
    "The optimizer stepped twice with the same gradient: one batch, one step.")

updates_by_hand = mistake.edited("opt.step()",
    """
    with torch.no_grad():
        for p in model.parameters():
            p -= opt.param_groups[0]["lr"] * p.grad
    """,
    "opt.step() was not called: only the optimizer knows which parameters to update, and how.")

clips_the_gradients = mistake.edited("opt.step()", "torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)\nopt.step()",
    "The gradients were made smaller between backward() and opt.step(), as by clipping: use them as they are.")

keeps_the_mode = mistake.edited("model.train()", "",
    "You trained a model in evaluation mode, without dropout and with frozen batch norm: call model.train() before the "
    "forward pass.")

trains_in_evaluation_mode = mistake.edited("model.train()", "model.eval()",
    "The forward pass ran in evaluation mode, which is for measuring: training needs model.train().",
    also=[("return loss.item()", "model.train()\nreturn loss.item()")])

switches_after_the_step = mistake.edited("model.train()", "",
    "The forward pass ran before the model was switched to training mode: call model.train() first.",
    also=[("opt.step()", "opt.step()\nmodel.train()")])

returns_the_tensor = mistake.edited("return loss.item()", "return loss",
    "You returned the loss as a tensor: return the plain number, loss.item().",
    common=True)

measures_again_after_the_step = mistake.edited(
    "return loss.item()", "with torch.no_grad():\n    return loss_fn(model(x), y).item()",
    "The loss was computed a second time with the new weights: return the one that backward() started from.")

divides_by_the_samples = mistake.edited("return loss.item()", "return loss.item() / len(x)",
    "You divided the loss by the number of samples: return it as loss_fn gives it.")

rounds_the_loss = mistake.edited("return loss.item()", "return round(loss.item(), 4)",
    "You rounded the loss: return all of its digits.")

swaps_prediction_and_target = mistake.edited("loss_fn(model(x), y)", "loss_fn(y, model(x))",
    "You passed the target to loss_fn first. Squared error is symmetric, but other losses are not: the prediction comes first.")

leaves_the_target_behind = mistake.edited(
    "x, y = (part.to(device) for part in batch)", "x, y = batch[0].to(device), batch[1]",
    "One tensor of the batch was not moved, most often the targets: move both to the model's device.")

leaves_the_batch_behind = mistake.edited("x, y = (part.to(device) for part in batch)", "x, y = batch",
    "You didn't move the batch: move x and y to the device of the model's parameters.")

brings_the_prediction_to_the_target = mistake.edited("x, y = (part.to(device) for part in batch)", "x, y = batch",
    "The loss was not computed on the model's device: move both tensors of the batch there, because loss_fn may have weights of its own there.",
    also=[("loss_fn(model(x), y)", "loss_fn(model(x.to(device)).to(y.device), y)")])

puts_the_mode_back = mistake.edited("model.train()", "was = model.training\nmodel.train()",
    "You restored the model's earlier mode: after a training step it stays in training mode.",
    also=[("return loss.item()", "model.train(was)\nreturn loss.item()")])

ends_in_evaluation_mode = mistake.edited("return loss.item()", "model.eval()\nreturn loss.item()",
    "The model was switched to evaluation mode at the end: after a training step it stays in training mode.")

gives_a_list = mistake.edited("loss.item()", "loss.tolist()",
    "A loss of shape (1,) came back as a list: tolist() keeps the axes; item() gives the number of any tensor with one element.")

squeezes_the_prediction = mistake.edited("model(x)", "model(x).squeeze()",
    "The prediction lost its axes of size 1, so it no longer lines up with the target: pass it on as it is.")

moves_the_model_instead = mistake.edited("device = next(model.parameters()).device", "device = batch[0].device",
    "The model was moved to the batch: the caller decides where the model lives, so move the batch to the model.",
    also=[("model.train()", "model.to(device).train()")])

casts_the_batch = mistake.edited("device = next(model.parameters()).device", "p = next(model.parameters())",
    "The batch was converted to the dtype of the weights: only move it to the model's device, and leave its dtypes alone.",
    also=[("part.to(device)", "part.to(p.device, p.dtype)")])

casts_to_float32 = mistake.edited("part.to(device)", "part.to(device).float()",
    "x and y were converted to float32: only move them to the model's device, and leave their dtypes alone.")

casts_the_inputs = mistake.edited(
    "model(x)", "model(x.to(next(model.parameters()).dtype) if x.is_floating_point() else x)",
    "x was converted to the dtype of the weights: only move x to the model's device; the model decides about dtypes.")

casts_to_the_dtype_of_the_model = mistake.edited(
    "device = next(model.parameters()).device", "like = next(model.parameters())",
    "x and y were converted to the dtype of the weights: only move them to the model's device; both keep their dtypes.",
    also=[("(part.to(device) for part in batch)",
         "(t.to(like) if t.is_floating_point() else t.to(like.device) for t in batch)")])

runs_the_model_twice = mistake.edited(
    "loss = loss_fn(model(x), y)", "assert len(model(x)) == len(y)\nloss = loss_fn(model(x), y)",
    "The model ran a second time, which lets batch norm count the batch twice: one forward pass is enough.")

views_the_target_as_the_prediction = mistake.edited(
    "loss = loss_fn(model(x), y)",
    """
    prediction = model(x)
    loss = loss_fn(prediction, y.reshape(prediction.shape) if y.numel() == prediction.numel() else y)
    """,
    "The target was given the shape of the prediction: pass both to loss_fn with their own shapes.")

stumbles_over_unused_parameters = mistake.edited(
    "loss.backward()",
    """
    params = [p for group in opt.param_groups for p in group["params"]]
    for p, grad in zip(params, torch.autograd.grad(loss, params), strict=True):
        p.grad = grad
    """,
    "A parameter that is frozen, or not used by the loss, caused an error because it gets no gradient: skip it, or let "
    "backward() and opt.step() do the work.",
    also=[("opt.zero_grad()", "")])

unfreezes_all_parameters = mistake.edited("model.train()", "model.train().requires_grad_()",
    "A frozen parameter was trained: requires_grad is the caller's choice, so leave it alone.")

clears_between_forward_and_backward = alternative.edited("opt.zero_grad()", "",
    "Clearing late is fine, as long as it is before backward().",
    also=[
        ("model.train()", ""),
        ("model(x)", "model.train()(x)"),
        ("loss.backward()", "opt.zero_grad(set_to_none=False)\nloss.backward()"),
    ])

clears_by_hand = alternative.edited("opt.zero_grad()", "for p in model.parameters():\n    p.grad = None",
    "Sets every .grad of the model to None, before and after.",
    also=[
        ("model.train()", "model.train(True)"),
        ("return loss.item()",
         "model.zero_grad()\nreturn loss.detach().cpu().tolist() if loss.dim() == 0 else loss.item()"),
    ])

gradients_as_values = alternative.edited(
    "loss.backward()",
    """
    params = [p for group in opt.param_groups for p in group["params"] if p.requires_grad]
    for p, grad in zip(params, torch.autograd.grad(loss, params, allow_unused=True), strict=True):
        p.grad = grad
    """,
    "torch.autograd.grad and an assignment instead of backward().",
    also=[("opt.zero_grad()", "")])


@alternative("train_step")
def hands_over_a_closure(model, batch, loss_fn, opt):
    """Lets the optimizer call everything, on copies of the batch."""
    device = next(model.parameters()).device
    x, y = (part.clone().to(device, non_blocking=True) for part in batch)
    for part in model.modules():
        part.train()

    def closure():
        opt.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        return loss

    return opt.step(closure).item()
