"""Known mistakes and unusual but correct solutions for save_checkpoint and load_checkpoint."""

import os  # noqa: F401 (for an edit)
import pickle  # noqa: F401 (for an edit)

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    'drop_keyword: checkpoint = torch.load(path, map_location="cpu")': "weights_only=True is the default of torch.load since PyTorch 2.6",
    'swap_statements: opt.load_state_dict(checkpoint["opt"])': "model and optimizer may be loaded in any order",
    'swap_statements: torch.set_rng_state(checkpoint["rng"])': "nothing draws a random number in between",
}

HINTS = (
    "Imagine stopping a training run, and list everything that the next step will read: weights are "
    "only one thing.",
    "Models and optimizers have state_dict() and load_state_dict(). The random generator of the CPU has "
    "get_rng_state and set_rng_state, and expects its state as a CPU tensor.",
    "save: one dict with four entries, and torch.save. load: torch.load to the CPU with weights_only, "
    "then pass each entry to the object it belongs to. Three entries are restored; what happens to the fourth?",
)


forgets_the_optimizer = mistake.edited('"opt": opt.state_dict(),', "",
    "The optimizer started fresh, without its momentum, averages and learning rate: save its state_dict, too.",
    also=[('opt.load_state_dict(checkpoint["opt"])', "")], common=True,
    pitfall="The weights are not everything")

forgets_the_random_state = mistake.edited('torch.set_rng_state(checkpoint["rng"])', "",
    "Dropout and shuffling drew different numbers after loading: save and restore the state of the random generator.",
    common=True,
    pitfall="the state of the random generator")

returns_the_next_epoch = mistake.edited('return checkpoint["epoch"]', 'return checkpoint["epoch"] + 1',
    "The returned number is one too high: return the number of finished epochs as it was saved.")

not_strict = mistake.edited(
    'model.load_state_dict(checkpoint["model"])', 'model.load_state_dict(checkpoint["model"], strict=False)',
    "A checkpoint of another model was loaded in part, silently: let load_state_dict compare all names, without strict=False.")

saves_the_model_itself = mistake.edited('"model": model.state_dict()', '"model": model',
    "The whole model object went into the file, which only loads with trust and with the same code: save its state_dict.",
    also=[("weights_only=True", "weights_only=False"), ('checkpoint["model"]', 'checkpoint["model"].state_dict()')])

trusts_every_file = mistake.edited(
    'torch.load(path, map_location="cpu", weights_only=True)',
    'torch.load(path, map_location="cpu", weights_only=False)',
    "You opened a file with arbitrary objects, which can run code: load with weights_only=True.")

moves_the_random_state = mistake.edited(
    'torch.load(path, map_location="cpu", weights_only=True)',
    "torch.load(path, map_location=next(model.parameters()).device, weights_only=True)",
    "map_location moved the random state to the device of the model, but it must be on the CPU: load everything to the CPU, and load_state_dict copies the values to where the parameters are.")

replaces_the_parameters = mistake.edited(
    'model.load_state_dict(checkpoint["model"])',
    """
    for module in model.modules():
        for name, p in list(module.named_parameters(recurse=False)):
            setattr(module, name, torch.nn.Parameter(p.detach().clone()))
    model.load_state_dict(checkpoint["model"])
    """,
    "The model got new parameter objects, but the optimizer still holds the old ones: load_state_dict copies into the "
    "existing ones.")

starts_in_evaluation_mode = mistake.edited(
    'return checkpoint["epoch"]',
    """
    model.eval()
    return checkpoint["epoch"]
    """,
    "The model was left in evaluation mode after loading: loading does not concern the mode.")

parameters_only = mistake.edited('"model": model.state_dict()', '"model": dict(model.named_parameters())',
    "Buffers such as the running averages of batch norm are missing: a state_dict has both; parameters() does not.",
    also=[(
        'model.load_state_dict(checkpoint["model"])',
        """
        mine = dict(model.named_parameters())
        if mine.keys() != checkpoint["model"].keys() or any(mine[n].shape != v.shape for n, v in checkpoint["model"].items()):
            raise RuntimeError("the checkpoint does not fit")
        with torch.no_grad():
            for name, value in checkpoint["model"].items():
                mine[name].copy_(value)
        """,
    )])

wants_the_old_device = mistake.edited(
    'torch.load(path, map_location="cpu", weights_only=True)', "torch.load(path, weights_only=True)",
    'The file could only be read where its device exists: give torch.load a map_location; "cpu" always exists.')

seed_instead_of_state = mistake.edited("torch.get_rng_state()", "torch.initial_seed()",
    "You saved the seed, so the random numbers started over: save the state of the generator, which says how far it has "
    "come.",
    also=[("torch.set_rng_state(", "torch.manual_seed(")])

starts_anew_without_a_file = mistake.edited(
    "checkpoint = torch.load(", "if not os.path.exists(path):\n    return 0\ncheckpoint = torch.load(",
    "A missing file was treated as a fresh start: let FileNotFoundError through, or a wrong path silently restarts the training.")

moves_the_model_to_the_cpu = mistake.edited("checkpoint = {", "model.cpu()\ncheckpoint = {",
    "The model itself was moved to the CPU, and training goes on there: save the state_dict as it is.")

moves_the_optimizer_to_the_cpu = mistake.edited(
    "checkpoint = {",
    """
    for kept in opt.state.values():
        kept.update({name: t.cpu() for name, t in kept.items() if isinstance(t, torch.Tensor)})
    checkpoint = {
    """,
    "The running averages were moved inside the optimizer, which still needs them where the parameters are: save its "
    "state_dict as it is.")

clears_the_gradients = mistake.edited("torch.save(checkpoint, path)", "torch.save(checkpoint, path)\nopt.zero_grad()",
    "The gradients were gone after saving: they belong to the caller, and saving must not change them.")

keeps_the_first_file = mistake.edited(
    "torch.save(checkpoint, path)", "if not os.path.exists(path):\n    torch.save(checkpoint, path)",
    "An existing file was kept: replace it.")

starts_in_training_mode = mistake.edited(
    'return checkpoint["epoch"]',
    """
    model.train()
    return checkpoint["epoch"]
    """,
    "The model was put into training mode while loading: leave the flags as they are.")

learning_rate_only = mistake.edited(
    '"opt": opt.state_dict(),',
    '"opt": opt.state_dict()["state"],\n"rates": [group["lr"] for group in opt.param_groups],',
    "Of the optimizer's settings only the learning rate was restored: its state_dict has them all.",
    also=[(
        'opt.load_state_dict(checkpoint["opt"])',
        """
        opt.load_state_dict({"state": checkpoint["opt"], "param_groups": opt.state_dict()["param_groups"]})
        for group, rate in zip(opt.param_groups, checkpoint["rates"], strict=True):
            group["lr"] = rate
        """,
    )])

keeps_the_new_learning_rate = mistake.edited(
    'opt.load_state_dict(checkpoint["opt"])',
    """
    rates = [group["lr"] for group in opt.param_groups]
    opt.load_state_dict(checkpoint["opt"])
    for group, rate in zip(opt.param_groups, rates, strict=True):
        group["lr"] = rate
    """,
    "The learning rate is that of the new optimizer: the saved one replaces it, as load_state_dict does.")

swallows_the_optimizers_error = mistake.edited(
    'opt.load_state_dict(checkpoint["opt"])',
    """
    try:
        opt.load_state_dict(checkpoint["opt"])
    except ValueError:
        pass
    """,
    "The state of different parameters went into the optimizer silently: pass its load_state_dict everything that its "
    "state_dict gave, and let the error through.")

settings_of_the_first_group = mistake.edited(
    'opt.load_state_dict(checkpoint["opt"])',
    """
    opt.load_state_dict(checkpoint["opt"])
    for group in opt.param_groups:
        group.update({k: v for k, v in opt.param_groups[0].items() if k != "params"})
    """,
    "All parameters got the settings of the first group: an optimizer can have several, and load_state_dict puts each "
    "where it belongs.")

adds_a_suffix = mistake.edited(
    "torch.save(checkpoint, path)", 'torch.save(checkpoint, os.fspath(path).removesuffix(".pt") + ".pt")',
    "You added a suffix to the name of the file: write to `path` itself.",
    also=[("torch.load(path,", 'torch.load(os.fspath(path).removesuffix(".pt") + ".pt",')])

@mistake()
def writes_two_files():
    """A second file is written beside `path`, and is missing once `path` is moved: put everything into one file."""

    def save_checkpoint(path, model, opt, epoch):
        torch.save(model.state_dict(), path)
        torch.save([opt.state_dict(), epoch, torch.get_rng_state()], f"{path}.opt")

    def load_checkpoint(path, model, opt):
        model.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
        settings, epoch, random = torch.load(f"{path}.opt", map_location="cpu", weights_only=True)
        opt.load_state_dict(settings)
        torch.set_rng_state(random)
        return epoch

    return {"save_checkpoint": save_checkpoint, "load_checkpoint": load_checkpoint}


pickles_it = mistake.edited("torch.save(checkpoint, path)", 'with open(path, "wb") as file:\n    pickle.dump(checkpoint, file)',
    "torch.load(path, weights_only=True) can't read the file, as if it were written with pickle.dump: write it with torch.save.",
    also=[('torch.load(path, map_location="cpu", weights_only=True)', 'pickle.load(open(path, "rb"))')])

in_the_old_format = alternative.edited(
    "torch.save(checkpoint, path)", "torch.save(checkpoint, path, _use_new_zipfile_serialization=False)",
    "The format of files from before PyTorch 1.6, which torch.load still reads.")


@alternative()
def other_names():
    """Other names, a list instead of a dict, and a generator object instead of get_rng_state."""

    def save_checkpoint(path, model, opt, epoch):
        state = torch.default_generator.get_state()
        with open(path, "wb") as file:
            torch.save([epoch, state, opt.state_dict(), model.state_dict()], file)

    def load_checkpoint(path, model, opt):
        with open(path, "rb") as file:
            epoch, state, opt_state, model_state = torch.load(file, "cpu", weights_only=True)
        model.load_state_dict(model_state, strict=True)
        opt.load_state_dict(opt_state)
        torch.default_generator.set_state(state)
        return epoch

    return {"save_checkpoint": save_checkpoint, "load_checkpoint": load_checkpoint}


onto_the_device = alternative.edited('map_location="cpu"', "map_location=next(model.parameters()).device",
    "Loads onto the model's device and brings the random state back.",
    also=[('checkpoint["rng"]', 'checkpoint["rng"].cpu()')])
