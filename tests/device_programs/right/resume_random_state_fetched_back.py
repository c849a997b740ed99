"""Exercise: 07_training/bonus1_resume.
map_location is the model's device, and the random state is brought back to the CPU before it is set.
"""

import torch


def save_checkpoint(path, model, opt, epoch):
    torch.save(
        {"model": model.state_dict(), "opt": opt.state_dict(), "epoch": epoch, "rng": torch.get_rng_state()}, path
    )


def load_checkpoint(path, model, opt):
    device = next(model.parameters()).device
    checkpoint = torch.load(path, map_location=device, weights_only=True)
    model.load_state_dict(checkpoint["model"])
    opt.load_state_dict(checkpoint["opt"])
    torch.set_rng_state(checkpoint["rng"].cpu())
    return checkpoint["epoch"]
