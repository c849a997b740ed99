"""Exercise: 07_training/bonus1_resume.
The model is brought to the CPU to load the file, and not back.
"""

import torch


def save_checkpoint(path, model, opt, epoch):
    torch.save(
        {"model": model.state_dict(), "opt": opt.state_dict(), "epoch": epoch, "rng": torch.get_rng_state()}, path
    )


def load_checkpoint(path, model, opt):
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    model.cpu()
    model.load_state_dict(checkpoint["model"])
    opt.load_state_dict(checkpoint["opt"])
    torch.set_rng_state(checkpoint["rng"])
    return checkpoint["epoch"]
