"""g08: the second backward through (x + 1).sum() works, because an addition saves no tensors; x.grad is filled. (An error comes only when freed saved tensors are needed, as in g07.)."""
ANSWERS: dict[str, str | None] = {
    # What is t?  "leaf", "result", "constant" or "error"
    "k01": "constant",  # t = data * 2
    "k02": "result",  # t = x + 0
    "k03": "result",  # t = x.clone()
    "k04": "constant",  # t = x.detach()
    "k05": "result",  # t = x.double()
    "k06": "leaf",  # t = x.float()
    "k07": "leaf",  # t = x.detach().clone().requires_grad_()
    "k08": "constant",  # t = x > 1
    "k09": "error",  # t = torch.tensor([1, 2], requires_grad=True)
    "k10": "constant",  # with torch.no_grad(): t = x * 2
    "k11": "leaf",  # with torch.no_grad(): t = torch.ones(2, requires_grad=True)
    "k12": "result",  # t = torch.ones(2, requires_grad=True) * 0.1
    # Is that .grad filled at the end?  "filled", "empty" or "error"
    "g01": "filled",  # (x * w).sum().backward()                             w.grad?
    "g02": "empty",  # y = x * 2; y.sum().backward()                        y.grad?
    "g03": "filled",  # y = x * 2; y.retain_grad(); y.sum().backward()       y.grad?
    "g04": "empty",  # (x.detach() * w).sum().backward()                    x.grad?
    "g05": "error",  # (x * 2).backward()                                   x.grad?
    "g06": "error",  # x.sum().detach().backward()                          x.grad?
    "g07": "error",  # y = (x**2).sum(); y.backward(); y.backward()         x.grad?
    "g08": "error",  # y = (x + 1).sum(); y.backward(); y.backward()        x.grad?
}
