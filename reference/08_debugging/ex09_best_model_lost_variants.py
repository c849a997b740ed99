"""Known mistakes and unusual but correct solutions for train_keeping_best."""

import math

from torchdojo.variants import alternative, mistake

HINTS = (
    "Print data_ptr() of a tensor in the saved state and of the model's own weight.",
    "state_dict() is a dict of the live tensors, not a copy: training keeps writing into them. A copy of "
    "the dict still holds the same tensors.",
    "One line is wrong: the one that saves the best epoch. Let it save copies of the tensors: "
    "copy.deepcopy, or clone() for each of them.",
)


saves_the_models_own_tensors = mistake.edited("copy.deepcopy(model.state_dict())", "model.state_dict()",
    "The saved tensors are the model's own, and training keeps writing into them: save copies, with copy.deepcopy or clone(). "
    "state_dict(), dict(...) and detach() copy no numbers, nor does cpu() on the CPU.")

copies_the_dict_only = mistake.edited("copy.deepcopy(model.state_dict())", "dict(model.state_dict())",
    "The saved tensors are the model's own, and training keeps writing into them: save copies, with copy.deepcopy or clone(). "
    "state_dict(), dict(...) and detach() copy no numbers, nor does cpu() on the CPU.",
    pitfall="A copy of the dict")

brings_the_tensors_to_the_cpu = mistake.edited(
    "copy.deepcopy(model.state_dict())", "{k: v.detach().cpu() for k, v in model.state_dict().items()}",
    "The saved tensors are the model's own, and training keeps writing into them: save copies, with copy.deepcopy or clone(). "
    "state_dict(), dict(...) and detach() copy no numbers, nor does cpu() on the CPU.",
    about=("returns_the_best_state", "the_state_is_a_dict_of_plain_tensors"))

integers_stay_live = mistake.edited(
    "copy.deepcopy(model.state_dict())", "{k: v.clone() if v.is_floating_point() else v for k, v in model.state_dict().items()}",
    "The integer buffers in the state are still the model's own: clone every entry, not only the floating ones.")

copies_after_the_last_epoch = mistake.edited("copy.deepcopy(model.state_dict())", "model.state_dict()",
    "The state that you return is that of the last epoch: copy it at the moment when an epoch is the best.",
    also=[("return best_state,", "return copy.deepcopy(best_state),")])

returns_the_models_own_tensors = mistake.edited("return best_state,", "return model.state_dict(),",
    "The best weights are back in the model, but the returned tensors are the model's own: more training changes them. Return "
    "the copy.")

forgets_to_load_them_back = mistake.edited("model.load_state_dict(best_state)", "",
    "The returned state is right, but the model still has the weights of the last epoch: load the best state into it.")

takes_the_last_of_equals = mistake.edited("loss < best_loss", "loss <= best_loss",
    "With equal losses you take the later epoch, but the first one counts: check how your comparison treats equal losses.")

stuck_at_nan = mistake.edited('float("inf"), None', "None, None",
    "A nan in the first epoch was taken as the best loss, and nothing is smaller than nan: leave nan out, for example by starting from infinity.",
    also=[("loss < best_loss", "best_loss is None or loss < best_loss")])

copies_parameters_only = mistake.edited(
    "copy.deepcopy(model.state_dict())", "{name: p.detach().clone() for name, p in model.named_parameters()}",
    "Only the parameters were saved: the buffers, such as the running statistics of batch norm, belong to the state too.",
    also=[("load_state_dict(best_state)", "load_state_dict(best_state, strict=False)")],
    about=("returns_the_best_state", "the_state_is_a_dict_of_plain_tensors"))

goes_back_after_each_bad_epoch = mistake.edited(
    """
    if loss < best_loss:
        best_loss, best_state = loss, copy.deepcopy(model.state_dict())
    """,
    """
    if loss < best_loss:
        best_loss, best_state = loss, copy.deepcopy(model.state_dict())
    elif best_state is not None:
        model.load_state_dict(best_state)
    """,
    "You loaded the best weights after each worse epoch, so training continued from the wrong weights: load them when all "
    "epochs are done.")

keeps_the_highest_loss = mistake.edited('float("inf")', '-float("inf")',
    "The epoch with the highest loss was kept: lower is better.",
    also=[("loss < best_loss", "loss > best_loss")])

swaps_the_parameter_objects = mistake.edited("return best_state, best_loss",
    """
    for module in model.modules():
        for name, parameter in list(module.named_parameters(recurse=False)):
            setattr(module, name, torch.nn.Parameter(parameter.detach().clone()))
    return best_state, best_loss
    """,
    "The best values came back as new Parameter objects, and an optimizer still holds the old ones: copy into the model with "
    "load_state_dict.")

saves_the_last_epoch = mistake.edited("loss < best_loss", "not math.isnan(loss)",
    "State and loss are those of the last epoch, whatever its loss: save only when the loss is the lowest so far.")

sets_the_mode_itself = mistake.edited("train_epoch(model)",
    """
    model.train()
    train_epoch(model)
    model.eval()
    """,
    "You change the mode of the model around the two functions: they set it themselves, so leave it alone.")

turns_gradients_off = mistake.edited("def train_keeping_best(", "@torch.no_grad()\ndef train_keeping_best(",
    "The epochs run under no_grad(), where no training can call backward: copying a state doesn't need it, so remove it.")

compares_rounded_losses = mistake.edited("validate(model)", "round(validate(model), 5)",
    "A small improvement doesn't count, as if the losses were rounded or had to differ by some amount: compare them as "
    "they are.")

stops_when_nothing_gets_better = mistake.edited(
    'best_loss, best_state = float("inf"), None', 'best_loss, best_state, waiting = float("inf"), None, 0',
    "Training stopped early, after some epochs without a better loss: the exercise asks for all epochs, and a later one may be the best.",
    also=[
        ("loss = validate(model)", "loss = validate(model)\nwaiting = 0 if loss < best_loss else waiting + 1"),
        ("""
        if loss < best_loss:
            best_loss, best_state = loss, copy.deepcopy(model.state_dict())
        """,
        """
        if loss < best_loss:
            best_loss, best_state = loss, copy.deepcopy(model.state_dict())
        if waiting == 20:
            break
        """),
    ])

compares_in_float32 = mistake.edited("loss < best_loss", "torch.tensor(loss) < torch.tensor(best_loss)",
    "The losses were compared as float32 numbers, which have seven digits, so a small improvement doesn't count: compare the Python floats as they are.")

takes_a_best_loss_of_zero_for_none = mistake.edited('float("inf"), None', "None, None",
    "A best loss of 0 was taken for none at all, because 0 is false in a condition: compare with `is None`, or start from "
    "infinity.",
    also=[("loss < best_loss", "loss == loss and (not best_loss or loss < best_loss)")])

copies_the_whole_model = alternative.edited("copy.deepcopy(model.state_dict())", "copy.deepcopy(model)",
    "A deep copy of the model each time, with its state at the end.",
    also=[("model.load_state_dict(best_state)\nreturn best_state, best_loss",
        """
        model.load_state_dict(best_state.state_dict())
        return best_state.state_dict(), best_loss
        """)])

clones_each_tensor = alternative.edited(
    "copy.deepcopy(model.state_dict())", "{key: tensor.clone() for key, tensor in model.state_dict().items()}",
    "A dict of clones.")


@alternative("train_keeping_best")
def keeps_every_epoch(model, train_epoch, validate, epochs):
    """Saves all epochs and picks at the end."""
    saved = []
    for _ in range(epochs):
        train_epoch(model)
        saved.append((validate(model), {key: t.detach().clone() for key, t in model.state_dict().items()}))
    saved = [pair for pair in saved if not math.isnan(pair[0])]
    if not saved:
        raise ValueError("nothing to choose from")
    loss, state = min(saved, key=lambda pair: pair[0])
    model.load_state_dict(state)
    return state, loss

copies_parameters_and_stops = mistake.edited(
    "copy.deepcopy(model.state_dict())", "{name: p.detach().clone() for name, p in model.named_parameters()}",
    "Only the parameters were saved: the buffers, such as the running statistics of batch norm, belong to the state too.")

starts_from_a_number = mistake.edited('float("inf"), None', "1e9, None",
    "The best loss starts from a number, and larger losses are never the best: start from infinity.")

validates_the_start = mistake.edited('float("inf"), None', "validate(model), copy.deepcopy(model.state_dict())",
    "The untrained model takes part in the comparison: only epochs count, so call validate once after each train_epoch.")

compares_absolute_values = mistake.edited("loss < best_loss", "abs(loss) < best_loss",
    "You compare the absolute value of a loss: a negative loss is lower than 0, so compare it with its sign.")

counts_small_improvements_as_none = mistake.edited("loss < best_loss", "loss < best_loss - 1e-4",
    "A small improvement doesn't count, as if the losses were rounded or had to differ by some amount: compare them as they are.")

loads_into_nothing = mistake.edited("model.load_state_dict(best_state)\n", "model = copy.deepcopy(model)\nmodel.load_state_dict(best_state)\n",
    "The returned state is right, but the model still has the weights of the last epoch: load the best state into it.")

gives_the_last_loss = mistake.edited("return best_state, best_loss", "return best_state, loss",
    "The state is that of the best epoch, but the loss is that of the last one: return the best loss.")
