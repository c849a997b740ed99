"""The state of the random generator is neither saved nor restored, so dropout and shuffling go on differently."""
import torch


def save_checkpoint(path, model, opt, epoch):
    torch.save({"model": model.state_dict(), "opt": opt.state_dict(), "epoch": epoch}, path)


def load_checkpoint(path, model, opt):
    data = torch.load(path, weights_only=True, map_location="cpu")
    model.load_state_dict(data["model"])
    opt.load_state_dict(data["opt"])
    return data["epoch"]
