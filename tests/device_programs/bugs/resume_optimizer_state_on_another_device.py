"""Exercise: 07_training/bonus1_resume.
After loading, the averages of the optimizer are sent to a device that was chosen at import.
"""

import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def save_checkpoint(path, model, opt, epoch):
    torch.save(
        {"model": model.state_dict(), "opt": opt.state_dict(), "epoch": epoch, "rng": torch.get_rng_state()}, path
    )


def load_checkpoint(path, model, opt):
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(checkpoint["model"])
    opt.load_state_dict(checkpoint["opt"])
    for state in opt.state.values():
        for key, value in state.items():
            if isinstance(value, torch.Tensor):
                state[key] = value.to(DEVICE)
    torch.set_rng_state(checkpoint["rng"])
    return checkpoint["epoch"]
