"""Channels that people deploy, one file a family: noise, random answers, buckets, optimal ones."""

from gleak.mechanisms._base import Ends
from gleak.mechanisms.answers import exponential, randomised_response
from gleak.mechanisms.bucketing import bucketed
from gleak.mechanisms.histogram import Histogram, histogram
from gleak.mechanisms.line import geometric, laplace
from gleak.mechanisms.optimal import expected_loss, least_loss, least_vulnerability
from gleak.mechanisms.planar import Grid, planar_geometric, planar_laplace
from gleak.mechanisms.privacy import epsilon

__all__ = [
    "Ends",
    "Grid",
    "Histogram",
    "bucketed",
    "epsilon",
    "expected_loss",
    "exponential",
    "geometric",
    "histogram",
    "laplace",
    "least_loss",
    "least_vulnerability",
    "planar_geometric",
    "planar_laplace",
    "randomised_response",
]
