"""(a) zeros(0) + ones(1): the 1 stretches to 0, so the shape is (0,), not (1,). (b) ones(3, 4) - ones(3, 4).mean(1): the mean has shape (3,), which meets the 4 at the right, so it is an error."""
ANSWERS: dict[str, tuple[int, ...] | str | None] = {
    "ones(3, 4) + ones(4)": (3, 4),
    "ones(3, 4) + ones(3)": "error",
    "ones(3, 4) + ones(3, 1)": (3, 4),
    "ones(7, 1) - ones(7)": (7, 7),
    "ones(2, 1, 4) * ones(3, 1)": (2, 3, 4),
    "ones(2, 3, 4) * ones(2, 3)": "error",
    "ones(6) + ones(())": (6,),
    "ones(()) * ones(())": (),
    "zeros(0) + ones(1)": (1,),
    "zeros(0) + ones(2)": "error",
    "ones(2, 3) @ ones(3, 5)": (2, 5),
    "ones(4, 2, 3) @ ones(3, 5)": (4, 2, 5),
    "ones(3) @ ones(3)": (),
    "ones(3, 4) - ones(3, 4).mean(1)": (3, 4),
    "ones(1, 5, 1).squeeze()": (5,),
    "ones(1, 4).squeeze() @ ones(4, 2)": (2,),
}
