Sure! Here is a solution:

```python
import torch

def gradient_penalty(critic, x):
    x = x.detach().requires_grad_()
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return (g**2).sum() / len(x)
```

Let me know if you have questions.
