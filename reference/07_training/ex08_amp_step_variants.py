"""Known mistakes and unusual but correct solutions for survives_fp16 and amp_step."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "add_detach: stored = (x * scale).to(torch.float16).detach()": "the answer is bool and has no gradient",
}

HINTS = (
    "survives_fp16: let float16 answer, then look at what became of the numbers. amp_step: start from an "
    "ordinary training step and find the three lines that change.",
    "autocast belongs around the forward pass and the loss. The scaler multiplies the loss before "
    "backward, divides the gradients before the step, skips the step if one is inf or nan, and then "
    "adapts its scale: three different methods.",
    "survives_fp16: multiply, convert, ask for finite, and for not zero unless x was. amp_step: after "
    "autocast, let the scaler scale the loss and go backward from that; let the scaler make the step. One "
    "call to the scaler is left.",
)


only_too_small = mistake.edited("stored = (x * scale).to(torch.float16)", "stored = (x * scale).half()",
    "Too large numbers were missed: float16 turns everything beyond about 65504 into inf.",
    also=[("return stored.isfinite() & ((stored != 0) | (x == 0))", "return (stored != 0) | (x == 0)")])

only_too_large = mistake.edited("stored.isfinite() & ((stored != 0) | (x == 0))", "stored.isfinite()",
    "Too small numbers were missed: float16 turns them into 0.")

ignores_the_scale = mistake.edited("stored = (x * scale).to(torch.float16)", "stored = x.half()",
    "The scale was not used: multiply before you convert.")

scales_too_late = mistake.edited("stored = (x * scale).to(torch.float16)", "stored = x.half() * scale",
    "The numbers were rounded to float16 first and scaled afterwards: what is 0 by then stays 0.",
    pitfall="Scaling must come first")

zero_is_a_loss = mistake.edited("stored = (x * scale).to(torch.float16)", "stored = (x * scale).half()",
    "A number that was 0 from the start was counted as lost.",
    also=[("(stored != 0) | (x == 0)", "stored != 0")])

smallest_normal_as_limit = mistake.edited(
    "stored = (x * scale).to(torch.float16)", "size, info = (x * scale).abs(), torch.finfo(torch.float16)",
    "Numbers below the smallest normal one were counted as lost: float16 still holds them, with fewer digits.",
    also=[("stored.isfinite() & ((stored != 0) | (x == 0))", "(size <= info.max) & ((size >= info.tiny) | (x == 0))")])

rounding_is_a_loss = mistake.edited("stored = (x * scale).to(torch.float16)", "scaled = x * scale",
    "Numbers that float16 only rounds were counted as lost: ask whether they became 0 or inf.",
    also=[("stored.isfinite() & ((stored != 0) | (x == 0))", "scaled.half().to(x.dtype) == scaled")])

never_updates_the_scale = mistake.edited("scaler.update()", "",
    "The scale never changed: call scaler.update() once after each step.")

forgets_to_scale = mistake.edited(
    "scaler.scale(loss).backward()", "scaler.scale(torch.zeros((), device=loss.device))\nloss.backward()",
    "The loss was not scaled but the gradients were unscaled, so the step was too small by the scale: go backward from "
    "scaler.scale(loss).",
    common=True)

steps_without_the_scaler = mistake.edited("scaler.step(opt)", "opt.step()",
    "opt.step() used gradients that were still multiplied by the scale, and it steps on inf too: use scaler.step(opt).",
    also=[("scaler.update()", "")],
    pitfall="opt.step() would use gradients")

forgets_the_scaler = mistake.edited("scaler.scale(loss).backward()", "loss.backward()",
    "The scaler had no part in the step: go backward from scaler.scale(loss), let scaler.step(opt) take the step, and call "
    "scaler.update().",
    also=[("scaler.step(opt)", "opt.step()"), ("scaler.update()", "")], common=True)

steps_twice = mistake.edited("scaler.step(opt)", "opt.step()\nscaler.step(opt)",
    "The optimizer made two steps: scaler.step(opt) calls opt.step() itself, unless a gradient is inf or nan.")

unscales_and_steps_on_inf = mistake.edited("scaler.step(opt)", "scaler.unscale_(opt)\nopt.step()",
    "The gradients were unscaled, but the step was taken even with inf in them: let scaler.step(opt) decide.")

no_autocast = mistake.edited(
    "with torch.autocast(device_type, dtype=dtype):\n    loss = loss_fn(model(x), y)",
    "loss = loss_fn(model(x), y)",
    "Everything ran in full precision: put the forward pass and the loss under torch.autocast.")

loss_outside = mistake.edited("loss = loss_fn(model(x), y)", "prediction = model(x)",
    "The loss was computed after autocast had ended, in the dtype of its inputs: under autocast the sensitive functions run in "
    "float32.",
    also=[("scaler.scale(loss).backward()", "loss = loss_fn(prediction, y)\nscaler.scale(loss).backward()")])

ignores_the_dtype = mistake.edited("torch.autocast(device_type, dtype=dtype)", "torch.autocast(device_type)",
    "autocast chose its own dtype: pass on the requested one.")


@mistake("amp_step")
def halves_the_model(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """The parameters themselves became 16 bits wide, and small updates get lost in them: leave the model alone; autocast converts what it needs."""
    x, y = (part.to(next(model.parameters()).device) for part in batch)
    model.to(dtype).train()
    opt.zero_grad()
    loss = loss_fn(
        model(x.to(dtype) if x.is_floating_point() else x), y.to(dtype) if y.is_floating_point() else y
    )
    loss.backward()
    opt.step()
    return loss.item()


divides_by_the_new_scale = mistake.edited("scaler.scale(loss).backward()", "loss = scaler.scale(loss)\nloss.backward()",
    "The loss came back as the scaled loss divided by a scale that scaler.update() had changed by then: return the loss "
    "itself.",
    also=[("return loss.item()", "return loss.item() / scaler.get_scale()")])

widens_the_prediction = mistake.edited("model(x)", "model(x).float()",
    "The prediction was converted to float32 before loss_fn saw it: pass it on as it is; autocast converts what it needs.")

returns_the_scaled_loss = mistake.edited("scaler.scale(loss).backward()", "loss = scaler.scale(loss)\nloss.backward()",
    "The loss that came back is multiplied by the scale: return the loss itself.")

never_clears_gradients = mistake.edited("opt.zero_grad()", "",
    "Old gradients were still in .grad, and backward() added the new ones to them: clear them first.",
    common=True)

keeps_the_mode = mistake.edited("model.train()", "",
    "You trained a model in evaluation mode, without dropout: call model.train() first.")

leaves_the_batch_behind = mistake.edited(
    """
    device = next(model.parameters()).device
    x, y = (part.to(device) for part in batch)
    """,
    "x, y = batch",
    "You didn't move the batch: move inputs and targets to the device of the model's parameters.")

brings_the_prediction_to_the_target = mistake.edited("x, y = (part.to(device) for part in batch)", "x, y = batch",
    "The loss was not computed on the model's device: move both tensors of the batch there, because loss_fn may have weights of its own there.",
    also=[("loss_fn(model(x), y)", "loss_fn(model(x.to(device)).to(y.device), y)")])

largest_as_limit = mistake.edited("stored.isfinite()", "((x * scale).abs() <= torch.finfo(torch.float16).max)",
    "Numbers slightly above the largest one were counted as lost, but up to 65520 they round down to it: let the "
    "conversion decide.")

limits_decide = mistake.edited(
    "stored = (x * scale).to(torch.float16)", "size, info = (x * scale).abs(), torch.finfo(torch.float16)",
    "Numbers near the limits were counted as lost, but float16 rounds at both ends: 65519 becomes 65504, and 4e-8 becomes 6e-8. Let "
    "the conversion decide.",
    also=[("stored.isfinite() & ((stored != 0) | (x == 0))", "(size <= info.max) & ((size >= 2.0**-24) | (x == 0))")])

decides_for_the_scaler = mistake.edited(
    "scaler.scale(loss).backward()",
    "if not loss.isfinite():\n    return loss.item()\nscaler.scale(loss).backward()",
    "A loss that was not finite never reached the scaler, so the scale was not lowered: the scaler skips such steps by "
    "itself.")

always_the_cpu = mistake.edited("torch.autocast(device_type, dtype=dtype)", 'torch.autocast("cpu", dtype=dtype)',
    'autocast was told "cpu" whatever the device was: pass on device_type.')

scales_in_place = mistake.edited(
    "stored = (x * scale).to(torch.float16)", "zero = x == 0\nstored = x.detach().mul_(scale).half()",
    "x itself was multiplied: mul_ and *= change the caller's tensor. Use x * scale.",
    also=[("(x == 0)", "zero")])

clears_only_after_the_step = mistake.edited("opt.zero_grad()", "",
    "Gradients from before the first call were part of the update: clear them before backward(), not only after the step.",
    also=[("scaler.update()", "scaler.update()\nopt.zero_grad()")])

ends_in_evaluation_mode = mistake.edited("return loss.item()", "model.eval()\nreturn loss.item()",
    "The model was left in evaluation mode: it stays in training mode after a step.")

casts_the_inputs = mistake.edited("model(x)", "model(x.to(dtype) if x.is_floating_point() else x)",
    "x was cast to 16 bits before the model saw it: it only moves to the device, and autocast converts it where that is "
    "harmless.")

casts_the_targets = mistake.edited(
    "loss_fn(model(x), y)", "loss_fn(model(x), y.to(dtype) if y.is_floating_point() else y)",
    "y was cast to 16 bits before loss_fn saw it: it only moves to the device, because the loss is one of the functions that need all digits.")

replaces_what_is_not_finite = mistake.edited(
    "scaler.step(opt)",
    """
    scaler.unscale_(opt)
    for p in model.parameters():
        p.grad.nan_to_num_(nan=0.0, posinf=0.0, neginf=0.0)
    opt.step()
    """,
    "inf and nan in the gradients were replaced by 0 and the step was taken: a batch that is not finite makes no step at "
    "all.")

keeps_books_itself = mistake.edited(
    "scaler.update()",
    "scaler.update(scaler.get_scale() * (0.5 if found_inf else 2.0) if scaler.is_enabled() else None)",
    "You doubled the scale after each good step: the scaler decides when and by how much it grows. Call scaler.update() "
    "without an argument.",
    also=[("scaler.step(opt)",
         "found_inf = not all(p.grad.isfinite().all() for p in model.parameters())\nscaler.step(opt)")])

updates_without_a_step = mistake.edited("scaler.step(opt)", "opt.step()",
    "scaler.update() came without a scaler.step(opt) of its own before it: opt.step() doesn't count, and each step has one update.")

autocast_with_the_scaler = mistake.edited(
    "torch.autocast(device_type, dtype=dtype)",
    "torch.autocast(device_type, dtype=dtype, enabled=scaler.is_enabled())",
    "autocast was on only if the scaler is: they are independent. bfloat16, for example, needs no scaler.")

switches_by_hand = mistake.edited(
    "return loss.item()", "torch.set_autocast_enabled(device_type, False)\nreturn loss.item()",
    "autocast is off after the call, whatever it was before: a `with` block restores it; switching it on and off does not.")

by_comparison = alternative.edited("stored = (x * scale).to(torch.float16)", "size = (x.detach() * scale).abs()",
    "Compares with the points at which float16 rounds to 0 and to inf.",
    also=[("stored.isfinite() & ((stored != 0) | (x == 0))", "(size < 65520.0) & ((size > 2.0**-25) | (x == 0))")])


@alternative("survives_fp16")
def with_where(x, scale):
    """Uses type() and torch.where."""
    stored = (x.detach() * scale).type(torch.float16).abs()
    ok = (stored > 0) & (stored < float("inf"))
    return torch.where(x == 0, torch.ones_like(ok), ok)


backward_inside = alternative.edited(
    "loss = loss_fn(model(x), y)", "loss = loss_fn(model(x), y)\nscaler.scale(loss).backward()",
    "backward() under autocast is not needed and does no harm here.",
    also=[
        ("scaler.scale(loss).backward()", ""),
        ("opt.zero_grad()", "model.zero_grad()"),
        ("loss.item()", "loss.detach().item()"),
    ])

unscales_first = alternative.edited(
    "scaler.step(opt)", "if scaler.is_enabled():\n    scaler.unscale_(opt)\nscaler.step(opt)",
    "Calls unscale_ itself, as one does before clipping gradients.",
    also=[
        ("torch.autocast(device_type, dtype=dtype)", "torch.amp.autocast(device_type, dtype)"),
        ("opt.zero_grad()", ""),
        ("scaler.scale(loss).backward()", "opt.zero_grad(set_to_none=False)\nscaler.scale(loss).backward()"),
    ])
