"""The second backward adds to .grad of the first: ga and gb are not apart."""
import torch

def two_heads(trunk, head_a, head_b, w):
    leaf = w.detach().clone().requires_grad_(True)
    features = trunk(leaf)
    a = head_a(features)
    b = head_b(features)
    a.backward(retain_graph=True)
    ga = leaf.grad.clone()
    b.backward()
    gb = leaf.grad
    return ga, gb
