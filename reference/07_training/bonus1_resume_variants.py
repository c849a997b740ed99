"""Known mistakes and odd-but-correct solutions for save_checkpoint and load_checkpoint."""

import os

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    'drop_keyword: checkpoint = torch.load(path, map_location="cpu")': "weights_only=True is the default of torch.load since PyTorch 2.6",
    'swap_statements: opt.load_state_dict(checkpoint["opt"])': "model and optimizer may be loaded in any order",
    'swap_statements: torch.set_rng_state(checkpoint["rng"])': "nothing draws a random number in between",
}

HINTS = (
    "Stop a training run in your thoughts and list everything that the next step will read: weights are "
    "only one thing.",
    "Models and optimizers have state_dict() and load_state_dict(). The random generator of the CPU has "
    "get_rng_state and set_rng_state, and wants its state as a CPU tensor.",
    "save: one dict with four entries, and torch.save. load: torch.load to the CPU with weights_only, "
    "then hand each entry to the one it belongs to. Three entries are given back; what happens to the "
    "fourth?",
)


def everything(model, opt, epoch):
    """A complete checkpoint."""
    return {
        "model": model.state_dict(),
        "opt": opt.state_dict(),
        "epoch": epoch,
        "rng": torch.get_rng_state(),
    }


@mistake(common=True)
def forgets_the_optimizer():
    """The optimizer started fresh, without its momentum, averages and learning rate: save its state_dict, too."""

    def save_checkpoint(path, model, opt, epoch):
        torch.save({"model": model.state_dict(), "epoch": epoch, "rng": torch.get_rng_state()}, path)

    def load_checkpoint(path, model, opt):
        checkpoint = torch.load(path, map_location="cpu", weights_only=True)
        model.load_state_dict(checkpoint["model"])
        torch.set_rng_state(checkpoint["rng"])
        return checkpoint["epoch"]

    return {"save_checkpoint": save_checkpoint, "load_checkpoint": load_checkpoint}


@mistake(common=True)
def forgets_the_random_state():
    """Dropout and shuffling drew different numbers after loading: save and restore the state of the random
    generator."""

    def load_checkpoint(path, model, opt):
        checkpoint = torch.load(path, map_location="cpu", weights_only=True)
        model.load_state_dict(checkpoint["model"])
        opt.load_state_dict(checkpoint["opt"])
        return checkpoint["epoch"]

    return {"load_checkpoint": load_checkpoint}


returns_the_next_epoch = mistake.edited('return checkpoint["epoch"]', 'return checkpoint["epoch"] + 1',
    "The number that came back is one too high: it is the number of finished epochs, as it was saved.")

not_strict = mistake.edited(
    'model.load_state_dict(checkpoint["model"])', 'model.load_state_dict(checkpoint["model"], strict=False)',
    "A checkpoint of another model was loaded in part, silently: leave out strict=False.")


@mistake()
def saves_the_model_itself():
    """The whole model object went into the file, which only loads with trust and with the same code: save its
    state_dict."""

    def save_checkpoint(path, model, opt, epoch):
        torch.save({**everything(model, opt, epoch), "model": model}, path)

    def load_checkpoint(path, model, opt):
        checkpoint = torch.load(path, map_location="cpu", weights_only=False)
        model.load_state_dict(checkpoint["model"].state_dict())
        opt.load_state_dict(checkpoint["opt"])
        torch.set_rng_state(checkpoint["rng"])
        return checkpoint["epoch"]

    return {"save_checkpoint": save_checkpoint, "load_checkpoint": load_checkpoint}


trusts_every_file = mistake.edited(
    'torch.load(path, map_location="cpu", weights_only=True)',
    'torch.load(path, map_location="cpu", weights_only=False)',
    "You opened a file with arbitrary objects, which can run code: load with weights_only=True.")

moves_the_random_state = mistake.edited(
    'torch.load(path, map_location="cpu", weights_only=True)',
    "torch.load(path, map_location=next(model.parameters()).device, weights_only=True)",
    "map_location moved the random state to the device of the model, but it must be on the CPU: load everything to the "
    "CPU, load_state_dict brings the values to where the parameters are.")


@mistake("load_checkpoint")
def replaces_the_parameters(path, model, opt):
    """The model got new parameter objects, but the optimizer still holds the old ones: load_state_dict copies
    into the existing ones."""
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    device = next(model.parameters()).device
    for module in model.modules():
        for name, p in list(module.named_parameters(recurse=False)):
            setattr(module, name, torch.nn.Parameter(p.detach().clone()))
    model.load_state_dict(checkpoint["model"])
    model.to(device)
    opt.load_state_dict(checkpoint["opt"])
    torch.set_rng_state(checkpoint["rng"])
    return checkpoint["epoch"]


starts_in_evaluation_mode = mistake.edited(
    'return checkpoint["epoch"]',
    """
    model.eval()
    return checkpoint["epoch"]
    """,
    "The model was left in evaluation mode after loading: loading does not concern the mode.")


@mistake()
def parameters_only():
    """Buffers such as the running averages of batch norm are missing: a state_dict has both, parameters()
    has not."""

    def save_checkpoint(path, model, opt, epoch):
        torch.save({**everything(model, opt, epoch), "model": dict(model.named_parameters())}, path)

    def load_checkpoint(path, model, opt):
        checkpoint = torch.load(path, map_location="cpu", weights_only=True)
        mine = dict(model.named_parameters())
        if mine.keys() != checkpoint["model"].keys():
            raise RuntimeError("the checkpoint does not fit")
        with torch.no_grad():
            for name, value in checkpoint["model"].items():
                if mine[name].shape != value.shape:
                    raise RuntimeError("the checkpoint does not fit")
                mine[name].copy_(value)
        opt.load_state_dict(checkpoint["opt"])
        torch.set_rng_state(checkpoint["rng"])
        return checkpoint["epoch"]

    return {"save_checkpoint": save_checkpoint, "load_checkpoint": load_checkpoint}


wants_the_old_device = mistake.edited(
    'torch.load(path, map_location="cpu", weights_only=True)', "torch.load(path, weights_only=True)",
    'The file could only be read where its device is: give torch.load a map_location, "cpu" is always there.')


@mistake()
def seed_instead_of_state():
    """You saved the seed, so the random numbers started over: save the state of the generator, which says how far
    it has come."""

    def save_checkpoint(path, model, opt, epoch):
        torch.save({**everything(model, opt, epoch), "rng": torch.initial_seed()}, path)

    def load_checkpoint(path, model, opt):
        checkpoint = torch.load(path, map_location="cpu", weights_only=True)
        model.load_state_dict(checkpoint["model"])
        opt.load_state_dict(checkpoint["opt"])
        torch.manual_seed(checkpoint["rng"])
        return checkpoint["epoch"]

    return {"save_checkpoint": save_checkpoint, "load_checkpoint": load_checkpoint}


@mistake("load_checkpoint")
def starts_anew_without_a_file(path, model, opt):
    """A missing file was treated as a fresh start: let FileNotFoundError through, or a wrong path costs a night."""
    if not os.path.exists(path):
        return 0
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(checkpoint["model"])
    opt.load_state_dict(checkpoint["opt"])
    torch.set_rng_state(checkpoint["rng"])
    return checkpoint["epoch"]


@mistake("save_checkpoint")
def moves_the_model_to_the_cpu(path, model, opt, epoch):
    """model.cpu() moves the model itself, and training goes on where its optimizer is not: save the state_dict as it
    is."""
    model.cpu()
    torch.save(everything(model, opt, epoch), path)


@mistake("save_checkpoint")
def moves_the_optimizer_to_the_cpu(path, model, opt, epoch):
    """The running averages were moved inside the optimizer, which still needs them where the parameters are: save its
    state_dict as it is."""
    for kept in opt.state.values():
        kept.update({name: t.cpu() for name, t in kept.items() if isinstance(t, torch.Tensor)})
    torch.save(everything(model, opt, epoch), path)


@mistake("save_checkpoint")
def clears_the_gradients(path, model, opt, epoch):
    """The gradients were gone after saving: they belong to the caller, and saving must not change them."""
    torch.save(everything(model, opt, epoch), path)
    opt.zero_grad()


@mistake("save_checkpoint")
def keeps_the_first_file(path, model, opt, epoch):
    """An existing file was kept: replace it."""
    if not os.path.exists(path):
        torch.save(everything(model, opt, epoch), path)


starts_in_training_mode = mistake.edited(
    'return checkpoint["epoch"]',
    """
    model.train()
    return checkpoint["epoch"]
    """,
    "The model was put into training mode while loading: leave the flags as they are.")


@mistake()
def learning_rate_only():
    """Of the optimizer's settings the learning rate came back, the others did not: its state_dict has them all."""

    def save_checkpoint(path, model, opt, epoch):
        rates = [group["lr"] for group in opt.param_groups]
        torch.save({**everything(model, opt, epoch), "opt": opt.state_dict()["state"], "rates": rates}, path)

    def load_checkpoint(path, model, opt):
        checkpoint = torch.load(path, map_location="cpu", weights_only=True)
        model.load_state_dict(checkpoint["model"])
        opt.load_state_dict({"state": checkpoint["opt"], "param_groups": opt.state_dict()["param_groups"]})
        for group, rate in zip(opt.param_groups, checkpoint["rates"], strict=True):
            group["lr"] = rate
        torch.set_rng_state(checkpoint["rng"])
        return checkpoint["epoch"]

    return {"save_checkpoint": save_checkpoint, "load_checkpoint": load_checkpoint}


@mistake("load_checkpoint")
def keeps_the_new_learning_rate(path, model, opt):
    """The learning rate is that of the new optimizer: the saved one replaces it, as load_state_dict does."""
    rates = [group["lr"] for group in opt.param_groups]
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(checkpoint["model"])
    opt.load_state_dict(checkpoint["opt"])
    for group, rate in zip(opt.param_groups, rates, strict=True):
        group["lr"] = rate
    torch.set_rng_state(checkpoint["rng"])
    return checkpoint["epoch"]


@mistake("load_checkpoint")
def swallows_the_optimizers_error(path, model, opt):
    """The state of different parameters went into the optimizer silently: pass its load_state_dict everything
    that its state_dict gave, and let the error through."""
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(checkpoint["model"])
    try:
        opt.load_state_dict(checkpoint["opt"])
    except ValueError:
        pass
    torch.set_rng_state(checkpoint["rng"])
    return checkpoint["epoch"]


@mistake("load_checkpoint")
def settings_of_the_first_group(path, model, opt):
    """All parameters got the settings of the first group: an optimizer can have several, and load_state_dict puts each where it
    belongs."""
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(checkpoint["model"])
    opt.load_state_dict(checkpoint["opt"])
    for group in opt.param_groups:
        group.update({k: v for k, v in opt.param_groups[0].items() if k != "params"})
    torch.set_rng_state(checkpoint["rng"])
    return checkpoint["epoch"]


@mistake()
def adds_a_suffix():
    """You added a suffix to the name of the file: write to `path` itself."""

    def named(path):
        return os.fspath(path).removesuffix(".pt") + ".pt"

    def save_checkpoint(path, model, opt, epoch):
        torch.save(everything(model, opt, epoch), named(path))

    def load_checkpoint(path, model, opt):
        checkpoint = torch.load(named(path), map_location="cpu", weights_only=True)
        model.load_state_dict(checkpoint["model"])
        opt.load_state_dict(checkpoint["opt"])
        torch.set_rng_state(checkpoint["rng"])
        return checkpoint["epoch"]

    return {"save_checkpoint": save_checkpoint, "load_checkpoint": load_checkpoint}


@alternative("save_checkpoint")
def in_the_old_format(path, model, opt, epoch):
    """The format of files from before PyTorch 1.6, which torch.load still reads."""
    torch.save(everything(model, opt, epoch), path, _use_new_zipfile_serialization=False)


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


@alternative("load_checkpoint")
def onto_the_device(path, model, opt):
    """Loads onto the model's device and brings the random state back."""
    checkpoint = torch.load(path, map_location=next(model.parameters()).device, weights_only=True)
    opt.load_state_dict(checkpoint["opt"])
    model.load_state_dict(checkpoint["model"])
    torch.set_rng_state(checkpoint["rng"].cpu())
    return checkpoint["epoch"]
