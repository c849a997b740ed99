ANSWERS: dict[str, str | None] = {
    # What is t?  "leaf", "result", "constant" or "error"
    "k01": "constant",  # t = data * 2
    "k02": "result",  # t = x + 0
<<<<<<< HEAD
    "k03": "result",  # t = x.clone()
    "k04": "leaf",  # t = x.detach()
=======
    "k03": "leaf",  # t = x.clone()
    "k04": "constant",  # t = x.detach()
>>>>>>> laptop
    "k05": "result",  # t = x.double()
}
