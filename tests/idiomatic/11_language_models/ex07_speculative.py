import torch


def accept_probability(p, q):
    return torch.where(q > 0, (p / q).clamp(max=1.0), 1.0)


def residual(p, q):
    missing = torch.relu(p - q)
    total = missing.sum(dim=-1, keepdim=True)
    return torch.where(total > 0, missing / total, p)


def draw(probs, number):
    token = int((probs.cumsum(dim=0) <= number).sum())
    return token if token < len(probs) else int(probs.argmax())


def speculative_step(p, q, draft, u):
    tokens = []
    for i, token in enumerate(draft.tolist()):
        if u[i] < accept_probability(p[i], q[i])[token]:
            tokens.append(token)
        else:
            tokens.append(draw(residual(p[i], q[i]), u[-1]))
            break
    else:
        tokens.append(draw(p[len(draft)], u[-1]))
    return torch.tensor(tokens, device=p.device)
