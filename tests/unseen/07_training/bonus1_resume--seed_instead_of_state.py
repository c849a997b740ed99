"""The checkpoint holds torch.initial_seed() and load_checkpoint seeds the generator with it. That starts the random numbers from the very beginning, not from where the run had stopped, so dropout and shuffling after the load differ from those of a run in one go. The learner thought of the seed as the state of the generator."""

import torch


def save_checkpoint(path, model, opt, epoch):
    checkpoint = {
        "model": model.state_dict(),
        "optimizer": opt.state_dict(),
        "epoch": epoch,
        "seed": torch.initial_seed(),
    }
    torch.save(checkpoint, path)


def load_checkpoint(path, model, opt):
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(checkpoint["model"])
    opt.load_state_dict(checkpoint["optimizer"])
    # the CPU generator only
    torch.default_generator.manual_seed(checkpoint["seed"])
    return checkpoint["epoch"]
