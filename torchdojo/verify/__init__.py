"""Prove that every hidden grader accepts right work and refuses wrong work."""
