"""Exercise: 07_training/bonus1_resume.
map_location takes the random state along to the model's device, where torch.set_rng_state refuses it.
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
    torch.set_rng_state(checkpoint["rng"])
    return checkpoint["epoch"]
