"""gleak: how much a system gives away, to which attacker, and how sure that is."""

from gleak.gain import bayes, distance, function, matrix, partition, tries

__version__ = "0.1.0"

__all__ = ["bayes", "distance", "function", "matrix", "partition", "tries"]
