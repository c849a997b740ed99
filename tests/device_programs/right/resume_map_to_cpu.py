"""Exercise: 07_training/bonus1_resume.
The file is read to the CPU; load_state_dict copies the values to where parameters and optimizer state belong.
"""

import torch


def save_checkpoint(path, model, opt, epoch):
    torch.save(
        {"model": model.state_dict(), "opt": opt.state_dict(), "epoch": epoch, "rng": torch.get_rng_state()}, path
    )


def load_checkpoint(path, model, opt):
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(checkpoint["model"])
    opt.load_state_dict(checkpoint["opt"])
    torch.set_rng_state(checkpoint["rng"])
    return checkpoint["epoch"]
