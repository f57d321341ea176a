"""Wing 1: robust regression that knows its own risk."""

from .estimators import HuberSGDRegressor, PseudoHuberSGDRegressor
from .losses import Huber, PseudoHuber
from .model_selection import NoSplit, trajectory_risk_scorer
from .nonconvex import MCP, SCAD
from .penalties import L1, ElasticNet, GroupL1, ProxJacobian
from .risk import RiskPath, trajectory_risk
from .trajectory import Trajectory, proximal_sgd

__all__ = [
    "L1",
    "MCP",
    "SCAD",
    "ElasticNet",
    "GroupL1",
    "Huber",
    "HuberSGDRegressor",
    "NoSplit",
    "ProxJacobian",
    "PseudoHuber",
    "PseudoHuberSGDRegressor",
    "RiskPath",
    "Trajectory",
    "proximal_sgd",
    "trajectory_risk",
    "trajectory_risk_scorer",
]
