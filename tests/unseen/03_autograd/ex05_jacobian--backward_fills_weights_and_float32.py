"""(1) The rows are computed with backward(), which also adds to the .grad of every other tensor that f uses, such as the weights of a model. x itself is protected by a copy, and the others were forgotten. (2) The table for the rows is made by torch.zeros without a dtype, so a float64 Jacobian is rounded to float32."""

import torch


def jacobian(f, x):
    leaf = x.detach().clone().requires_grad_(True)
    with torch.enable_grad():
        y = f(leaf)
        flat = y.reshape(-1)
    table = torch.zeros(flat.numel(), leaf.numel(), device=x.device)

    if y.requires_grad:
        for row in range(flat.numel()):
            leaf.grad = None
            flat[row].backward(retain_graph=True)
            if leaf.grad is not None:
                table[row] = leaf.grad.reshape(-1)

    return table.reshape(y.shape + x.shape)
