"""split_heads views straight to (batch, heads, time, width); merge_heads reshapes without swapping the axes back."""
import torch

def split_heads(x, heads):
    b, t, f = x.shape
    if f % heads != 0:
        raise ValueError("features must be a multiple of heads")
    return x.view(b, heads, t, f // heads)

def merge_heads(x):
    b, h, t, w = x.shape
    return x.reshape(b, t, h * w).contiguous()
