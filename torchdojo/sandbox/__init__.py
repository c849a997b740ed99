"""Start, lock, time and kill the processes in which a learner's code runs. May import `worker` and below; start with `start`,
then `linux`, `zygote` and `locks.lockdown`.
"""
