"""Exercise: 07_training/bonus1_resume.
The model's tensors are brought to the CPU for the file; the model itself does not move.
"""

import torch


def save_checkpoint(path, model, opt, epoch):
    weights = {name: value.detach().cpu() for name, value in model.state_dict().items()}
    torch.save({"model": weights, "opt": opt.state_dict(), "rng": torch.get_rng_state(), "epoch": epoch}, path)


def load_checkpoint(path, model, opt):
    checkpoint = torch.load(path, map_location=lambda storage, location: storage, weights_only=True)
    model.load_state_dict(checkpoint["model"])
    opt.load_state_dict(checkpoint["opt"])
    torch.set_rng_state(checkpoint["rng"])
    return checkpoint["epoch"]
