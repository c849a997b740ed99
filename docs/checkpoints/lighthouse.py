"""Write the texts and the checkpoint of 11_language_models/ex12: python docs/checkpoints/lighthouse.py

A grammar writes the two texts. The diary is then learned with the loop of chapter 10's project, 1,000 steps, and the model is
saved in float16. The texts are the same on every machine. The checkpoint may differ in its last digits, so run this only if a
text changes.
"""

import random
import sys
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parents[2]
GIVEN = ROOT / "exercises/11_language_models/given"

DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
WINDS = ["north", "south", "east", "west"]
WATERS = ["gray", "green", "white", "blue", "black"]
COUNTS = ["two", "three", "four", "five", "six"]
GOODS = ["wood", "stone", "salt", "apples", "letters", "fish", "bread", "honey", "coal", "wool"]
TASKS = [("mends her coat", "coat mended"), ("cleans the glass", "glass cleaned"), ("paints the door", "door painted"),
         ("writes a letter", "letter written"), ("waves to the sailors", "sailors seen"), ("feeds the cat", "cat fed")]


def day(draw: random.Random, name: str) -> tuple[str, str]:
    """What happened on a day, as the diary tells it, and as a telegram tells it."""
    wind, water, count, (long, short) = draw.choice(WINDS), draw.choice(WATERS), draw.choice(COUNTS), draw.choice(TASKS)
    first, second = draw.sample(GOODS, 2)
    diary = (
        f"On {name} the wind comes from the {wind}. The water is {water}. The keeper counts {count} ships. "
        f"The first ship carries {first}, and the last ship carries {second}. In the afternoon she {long}. "
        "In the evening she lights the lamp, and it burns all night.\n"
    )
    words = (name.lower(), f"{wind} wind", f"{water} water", f"{count} ships", f"{first} in", f"{second} out", short, "lamp lit")
    return diary, "".join(f"{part} stop " for part in words).rstrip() + "\n"


def texts(seed: int, days: int) -> tuple[str, str]:
    """Diary and telegrams; they tell different days."""
    draw = random.Random(seed)
    diary = "".join(day(draw, DAYS[i % 7])[0] for i in range(days))
    return diary, "".join(day(draw, DAYS[i % 7])[1] for i in range(days * 2 // 3))


def trained() -> dict[str, torch.Tensor]:
    """The weights of a model that has learned the diary, in float16."""
    sys.path[:0] = [str(ROOT), str(GIVEN.parent), str(ROOT / "reference/10_attention")]
    from ex10_char_model import train_model
    from given.lighthouse import DIARY, DIARY_HELD_OUT, Writer, encode

    torch.manual_seed(0)
    model, generator = Writer(), torch.Generator().manual_seed(0)
    _, losses = train_model(model, encode(DIARY), encode(DIARY_HELD_OUT), 1000, 16, 0.005, generator)
    print(f"held-out loss {losses[0]:.3f}, then {min(losses):.3f}")
    return {name: value.half() for name, value in model.state_dict().items()}


if __name__ == "__main__":
    diary, telegrams = texts(seed=11, days=40)
    (GIVEN / "diary.txt").write_text(diary, encoding="utf-8")
    (GIVEN / "telegrams.txt").write_text(telegrams, encoding="utf-8")
    torch.save(trained(), GIVEN / "diary.pt")
