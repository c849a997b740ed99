"""Start, lock, time and kill the processes that run learner code. May import `worker` and below; start with `start`,
then `linux`, `zygote` and `locks.lockdown`.
"""
