"""Only model and epoch are saved; the optimizer and the random state are forgotten."""
import torch


def save_checkpoint(path, model, opt, epoch):
    torch.save({"model": model.state_dict(), "epoch": epoch}, path)


def load_checkpoint(path, model, opt):
    data = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(data["model"])
    return data["epoch"]
