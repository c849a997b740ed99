ANSWERS: dict[str, str | None] = {
    # What is t?  "leaf", "result", "constant" or "error"
    "k01": "leaf",  # t = data * 2
    "k02": "leaf",  # t = x + 0
    "k03": "result",  # t = x.clone()
    "k04": "leaf",  # t = x.detach()
    "k05": "leaf",  # t = x.double()
    "k06": "Leaf",  # t = x.float()
    "k07": "leaf",  # t = x.detach().clone().requires_grad_()
    "k08": "constant",  # t = x > 1
    "k09": "leaf",  # t = torch.tensor([1, 2], requires_grad=True)
    "k10": "constant",  # with torch.no_grad(): t = x * 2
    "k11": "constant",  # with torch.no_grad(): t = torch.ones(2, requires_grad=True)
    "k12": "leaf",  # t = torch.ones(2, requires_grad=True) * 0.1
    # Is that .grad filled at the end?  "filled", "empty" or "error"
    "g01": "filled",  # (x * w).sum().backward()                             w.grad?
    "g02": "filled",  # y = x * 2; y.sum().backward()                        y.grad?
    "g03": "filled",  # y = x * 2; y.retain_grad(); y.sum().backward()       y.grad?
    "g04": "error",  # (x.detach() * w).sum().backward()                    x.grad?
    "g05": "filled",  # (x * 2).backward()                                   x.grad?
    "g06": "empty",  # x.sum().detach().backward()                          x.grad?
    "g07": True,  # y = (x**2).sum(); y.backward(); y.backward()         x.grad?
    "g08": None,  # y = (x + 1).sum(); y.backward(); y.backward()        x.grad?
}
