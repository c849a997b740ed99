"""Hidden checks for RandomFlip."""

import torch

from torchdojo.grading import check, tensor


class oracle:
    """One image at a time."""

    class RandomFlip:
        def __init__(self, p=0.5, limit=8.0, seed=0):
            self.p, self.limit = p, limit
            self.generator = torch.Generator().manual_seed(seed)

        def draw(self, count):
            return torch.rand(count, generator=self.generator).lt(self.p)

        def __call__(self, images):
            chosen = self.draw(len(images)).tolist()
            result = [image.fliplr() if c else image for image, c in zip(images, chosen)]
            result = torch.stack(result) if result else images.clone()
            return torch.minimum(result, torch.full_like(result, self.limit))


@check(points=1, p=[0.2, 0.5, 0.9], devices=False)
def draws_with_the_probability(solution, p):
    """The booleans are those of the generator."""
    return solution.RandomFlip(p, seed=3).draw(200)


@check(points=3, images=tensor("batch height width"), p=[0.0, 0.5, 1.0], minimum=1)
def images_are_flipped(solution, images, p):
    """The images are flipped that are drawn."""
    flip = solution.RandomFlip(p, limit=3.5, seed=1)
    return [flip(images), flip(images)]


@check(points=1, images=tensor("4 2 3"), minimum=1)
def defaults_are_used(solution, images):
    """Without arguments, half of the images are flipped."""
    return solution.RandomFlip()(images)
