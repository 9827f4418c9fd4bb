"""Ways to learn an attack: one file per family, one contract, one registry."""

from gleak.adversaries._base import Adversary, PosteriorStrategy, Route, Strategy

__all__ = ["Adversary", "PosteriorStrategy", "Route", "Strategy"]
