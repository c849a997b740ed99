"""Known mistakes and unusual but correct solutions for snapshot and restore_."""

import copy

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    'drop_copy: return {name: value.to("cpu", copy=True) for name, value in module.state_dict().items()}': "the tensors in state_dict have no graph anyway",
}

HINTS = (
    "Take a snapshot, change a weight in place, and print the snapshot again. What do you see?",
    "The dict and the tensors in it are different things: a copy of the dict still holds the live tensors. "
    "When you restore, copy the numbers into the tensors that the module already has.",
    "For the copy: every value of the state, without a graph, with its own memory, on the CPU. To "
    "restore, a method of nn.Module checks the names and shapes and copies in place.",
)


keeps_the_live_state = mistake.edited(
    '{name: value.detach().to("cpu", copy=True) for name, value in module.state_dict().items()}',
    "module.state_dict()",
    "The snapshot changed with training: state_dict(), and a dict made from it, hold the live weights. Clone each.",
    pitfall="state_dict() copies nothing")

cpu_is_not_a_copy = mistake.edited('value.detach().to("cpu", copy=True)', "value.detach().cpu()",
    "The snapshot changed with training, because it shares memory with the model: on the CPU, .cpu(), .to('cpu') and detach() copy nothing. "
    "Clone each tensor.")

integers_stay_live = mistake.edited(
    '{name: value.detach().to("cpu", copy=True) for name, value in module.state_dict().items()}',
    "{k: v.clone().cpu() if v.is_floating_point() else v.cpu() for k, v in module.state_dict().items()}",
    "Integer buffers still share memory with the module, so they changed with training: clone every entry.")

frozen_stay_live = mistake.edited("return {name: value",
    """
    frozen = {name for name, p in module.named_parameters(remove_duplicate=False) if not p.requires_grad}
    return {name: value
    """,
    "Frozen parameters still share memory with the module, and may still change in place: clone every entry.",
    also=[("copy=True", "copy=name not in frozen")])

all_buffers = mistake.edited("module.state_dict().items()", "{**module.state_dict(), **dict(module.named_buffers())}.items()",
    "A buffer that is not part of state_dict (persistent=False) was saved: the names are those of state_dict(), no others.")

parameters_only = mistake.edited(
    '{name: value.detach().to("cpu", copy=True) for name, value in module.state_dict().items()}',
    "{name: p.detach().cpu().clone() for name, p in module.named_parameters()}",
    "Buffers are missing: take state_dict(), not named_parameters().")

trainable_only = mistake.edited(
    "return {name: value", "frozen = {name for name, p in module.named_parameters() if not p.requires_grad}\nreturn {name: value",
    "Frozen parameters are missing: the whole state_dict belongs in the copy.",
    also=[("module.state_dict().items()", "module.state_dict().items() if name not in frozen")])

still_trainable = mistake.edited(
    '{name: value.detach().to("cpu", copy=True) for name, value in module.state_dict().items()}',
    "{k: v.cpu().clone() for k, v in module.state_dict(keep_vars=True).items()}",
    "The copies require grad or are part of a graph: detach before you clone.")

turns_all_into_float = mistake.edited(
    '{name: value.detach().to("cpu", copy=True) for name, value in module.state_dict().items()}',
    "{k: v.detach().cpu().float().clone() for k, v in module.state_dict().items()}",
    "The dtypes changed: keep the dtype of every entry, integer buffers included.")

moves_the_model_to_the_cpu = mistake.edited(
    '{name: value.detach().to("cpu", copy=True) for name, value in module.state_dict().items()}',
    "copy.deepcopy(module.cpu().state_dict())",
    "The model itself was moved to the CPU, as module.cpu() does: move the copies, not the module.")

stays_on_the_device = mistake.edited(
    '{name: value.detach().to("cpu", copy=True) for name, value in module.state_dict().items()}',
    "{k: v.detach().clone() for k, v in module.state_dict().items()}",
    "The copies are on the module's device, where they take up its memory: put them on the CPU.")

goes_through_numpy = mistake.edited(
    '{name: value.detach().to("cpu", copy=True) for name, value in module.state_dict().items()}',
    "{name: torch.from_numpy(t.detach().cpu().numpy().copy()) for name, t in module.state_dict().items()}",
    "A bfloat16 model fails, because NumPy has no bfloat16: t.detach().cpu().clone() copies a tensor of any dtype.")

gives_arrays = mistake.edited('value.detach().to("cpu", copy=True)', "value.detach().cpu().float().numpy().copy()",
    "The values of the snapshot are NumPy arrays: they must be tensors, of the same dtype.")

copies_the_whole_module = mistake.edited(
    '{name: value.detach().to("cpu", copy=True) for name, value in module.state_dict().items()}', "copy.deepcopy(module)",
    "The snapshot is a module: return a dict of tensors; the numbers are all you need.",
    also=[("load_state_dict(saved)", "load_state_dict(saved.state_dict() if isinstance(saved, nn.Module) else saved)")])

hangs_in_new_parameters = mistake.edited("module.load_state_dict(saved)",
    """
    module.load_state_dict(saved)
    for name, p in list(module.named_parameters(remove_duplicate=False)):
        owner, _, last = name.rpartition(".")
        setattr(module.get_submodule(owner), last, nn.Parameter(saved[name].to(p.device).clone(), p.requires_grad))
    """,
    "The module has new Parameter objects, so an optimizer still holds the old ones: copy into the ones it has.")

swaps_the_memory = mistake.edited("module.load_state_dict(saved)",
    """
    module.load_state_dict(saved)
    for name, p in module.named_parameters():
        p.data = saved[name].to(p.device)
    """,
    "The parameters got the memory of the copy, as with p.data = ..., so training changes `saved`: copy the values into the memory that they have.")

assigns_the_copies = mistake.edited("module.load_state_dict(saved)", "module.load_state_dict(saved, assign=True)",
    "The tensors of the copy were put into the module, as with assign=True: copy their values into the parameters that it has.")

assigns_where_nothing_is_recorded = mistake.edited(
    "module.load_state_dict(saved)", "module.load_state_dict(saved, assign=not torch.is_grad_enabled())",
    "Under torch.no_grad() the tensors of the copy were put into the module: copy into those that it has, in either mode.")

rebinds_a_name = mistake.edited("module.load_state_dict(saved)",
    """
    copy.deepcopy(module).load_state_dict(saved)
    for name, value in module.state_dict().items():
        value = saved[name]
    """,
    "Nothing was restored: assigning to a name, or to an entry of a dict, does not change the module. Copy in place.")

not_strict = mistake.edited("module.load_state_dict(saved)", "module.load_state_dict(saved, strict=False)",
    "Missing or extra names were accepted: such a state belongs to another model, so leave strict on.")


@mistake("restore_")
@torch.no_grad()
def copies_without_a_look(module, saved):
    """A value of another shape was accepted and broadcast: compare names and shapes, and raise RuntimeError."""
    state = module.state_dict()
    if state.keys() != saved.keys():
        raise RuntimeError("other names")
    for name, value in state.items():
        value.copy_(saved[name])

copies_name_by_name = mistake.edited("module.load_state_dict(saved)",
    """
    with torch.no_grad():
        for name, value in module.state_dict().items():
            value.copy_(saved[name])
    """,
    "A missing name raises KeyError, and an extra name, or a shape that broadcasts, passes: compare names and shapes, and raise "
    "RuntimeError.", common=True)

raises_value_error = mistake.edited("module.load_state_dict(saved)",
    """
    try:
        module.load_state_dict(saved)
    except RuntimeError as error:
        raise ValueError("names or shapes differ") from error
    """,
    "Names or shapes that do not fit raise a ValueError: let it be a RuntimeError, as load_state_dict raises.")


@mistake("restore_")
@torch.no_grad()
def pairs_by_position(module, saved):
    """Values were paired by their position in the dict: pair them by name."""
    state = module.state_dict()
    if state.keys() != saved.keys():
        raise RuntimeError("other names")
    for value, source in zip(state.values(), saved.values(), strict=True):
        value.copy_(source) if value.shape == source.shape else None


restores_parameters_only = mistake.edited(
    "load_state_dict(saved)", "load_state_dict({**saved, **{name: b for name, b in module.named_buffers() if name in saved}})",
    "The buffers were not restored: every entry of the state_dict belongs to the model.")

clears_the_gradients = mistake.edited("module.load_state_dict(saved)", "module.load_state_dict(saved)\nmodule.zero_grad()",
    "The .grad of the parameters was cleared: restoring changes the numbers only.")

uses_up_the_copy = mistake.edited("module.load_state_dict(saved)", "module.load_state_dict(saved)\nsaved.clear()",
    "`saved` was changed, for example emptied: leave it as it is, because it may be needed again.")

sends_the_model_there_and_back = mistake.edited(
    'return {name: value.detach().to("cpu", copy=True) for name, value in module.state_dict().items()}',
    """
    device = next(module.parameters()).device
    found = {k: v.detach().clone() for k, v in module.cpu().state_dict().items()}
    module.to(device)
    return found
    """,
    "Taking the snapshot gave the model's tensors new memory, or made new objects of them: copy the tensors of the state, "
    "one by one, and leave the model where it is.")

thaws_everything = mistake.edited("module.load_state_dict(saved)", "module.load_state_dict(saved)\nmodule.requires_grad_(True)",
    "Frozen parameters require grad afterwards: restoring changes the numbers only.")

ends_in_eval_mode = mistake.edited("module.load_state_dict(saved)", "module.load_state_dict(saved)\nmodule.eval()",
    "The model is in eval mode afterwards: restoring changes the numbers only.")

overlooks_extra_names = mistake.edited(
    "load_state_dict(saved)", "load_state_dict({name: saved[name] for name in module.state_dict() if name in saved})",
    "A name that the model does not have was ignored: compare the names on both sides.")

leaves_out_frozen_ones = mistake.edited(
    "module.load_state_dict(saved)",
    "module.load_state_dict({**saved, **{name: p.detach() for name, p in module.named_parameters() if name in saved and not p.requires_grad}})",
    "Frozen parameters were not restored: they may have changed in place, so every entry is written back.")

leaves_out_what_is_empty = mistake.edited(
    '{name: value.detach().to("cpu", copy=True) for name, value in module.state_dict().items()}',
    "{name: value.detach().cpu().clone() for name, value in module.state_dict().items() if value.numel()}",
    "Entries without elements are missing: the keys are those of state_dict(), whatever the sizes.")

by_way_of_lists = mistake.edited(
    'value.detach().to("cpu", copy=True)', "torch.tensor(value.tolist(), dtype=value.dtype)",
    "A tensor without elements lost its shape, such as (0, 3), as it does in a list: clone() keeps every shape.")

freezes_the_model = mistake.edited("module.state_dict()", "module.requires_grad_(False).state_dict()",
    "The parameters of the model no longer require grad: detach the copies, and leave the model as it is.")

accepts_an_empty_state = mistake.edited("module.load_state_dict(saved)", "if saved:\n    module.load_state_dict(saved)",
    "An empty dict was accepted, and it lacks every name: raise RuntimeError, as for any missing name.")

freezes_what_it_restores = mistake.edited(
    "module.load_state_dict(saved)", "module.load_state_dict(saved)\nmodule.requires_grad_(False)",
    "All parameters are frozen afterwards: restoring changes the numbers only.")

back_to_train_mode = mistake.edited("module.load_state_dict(saved)", "module.load_state_dict(saved)\nmodule.train()",
    "The model is in train mode afterwards: restoring changes the numbers only.")


@alternative()
def deep_copies():
    """copy.deepcopy of the state, moved to the CPU; load_state_dict on the way back."""

    def snapshot(module):
        saved = copy.deepcopy(module.state_dict())
        for name in saved:
            saved[name] = saved[name].cpu()
        return saved

    def back(module, saved):
        module.load_state_dict(dict(saved), strict=True)

    return {"snapshot": snapshot, "restore_": back}


@alternative()
def by_hand():
    """Both ways by hand, with the checks written out."""

    @torch.no_grad()
    def snapshot(module):
        saved = {}
        for name, value in module.state_dict().items():
            saved[name] = torch.empty(value.shape, dtype=value.dtype, device="cpu").copy_(value)
        return saved

    def back(module, saved):
        state = module.state_dict(keep_vars=True)
        if set(state) != set(saved):
            raise RuntimeError("the names do not match")
        for name, value in state.items():
            if value.shape != saved[name].shape:
                raise RuntimeError(f"{name} has another shape")
            value.data.copy_(saved[name])

    return {"snapshot": snapshot, "restore_": back}
