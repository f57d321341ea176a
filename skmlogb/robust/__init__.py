"""Wing 1: robust regression that knows its own risk."""

from .losses import Huber, PseudoHuber
from .penalties import L1, MCP, SCAD, ElasticNet, GroupL1
from .trajectory import Trajectory, proximal_sgd

__all__ = [
    "L1",
    "MCP",
    "SCAD",
    "ElasticNet",
    "GroupL1",
    "Huber",
    "PseudoHuber",
    "Trajectory",
    "proximal_sgd",
]
