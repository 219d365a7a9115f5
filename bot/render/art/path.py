"""Points on a plane: arcs, eased corners, even steps along an outline. Pure arithmetic, y grows downward."""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

Point = tuple[float, float]


def arc(x: float, y: float, radius: float, start: float, end: float, steps: int = 24) -> list[Point]:
    """Points along a circle from ``start`` to ``end`` degrees; 0 is to the right, 90 is down."""
    turns = [math.radians(start + (end - start) * step / steps) for step in range(steps + 1)]
    return [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]


def box(x: float, y: float, half_width: float, half_height: float) -> list[Point]:
    """The four corners of a rectangle around (x, y)."""
    return [(x + across * half_width, y + down * half_height) for across, down in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def moved(points: Iterable[Point], x: float, y: float, scale: float = 1.0, turn: float = 0.0) -> list[Point]:
    """The points scaled and turned (degrees) about the origin, which then comes to lie on (x, y)."""
    cos, sin = scale * math.cos(math.radians(turn)), scale * math.sin(math.radians(turn))
    return [(x + a * cos - b * sin, y + a * sin + b * cos) for a, b in points]


def eased(corners: Sequence[Point], length: float, steps: int = 8) -> list[Point]:
    """The closed polygon with each corner rounded from ``length`` before it to ``length`` after it."""
    points: list[Point] = []
    for index, corner in enumerate(corners):
        start = toward(corner, corners[index - 1], length)
        points += bent(start, corner, toward(corner, corners[(index + 1) % len(corners)], length), steps)
    return points


def bent(start: Point, over: Point, end: Point, steps: int = 20) -> list[Point]:
    """Points of a curve from one point to another, drawn towards a third one."""
    shares = [step / steps for step in range(steps + 1)]
    return [mix(mix(start, over, share), mix(over, end, share), share) for share in shares]


def evenly(outline: Sequence[Point], count: int) -> list[Point]:
    """``count`` points at equal distances along a closed outline, beginning at its first point."""
    edges = [edge for edge in pairwise([*outline, outline[0]]) if edge[0] != edge[1]]
    step = sum(math.dist(a, b) for a, b in edges) / count
    points: list[Point] = []
    walked = 0.0
    for a, b in edges:
        length = math.dist(a, b)
        while len(points) < count and len(points) * step <= walked + length:
            points.append(mix(a, b, (len(points) * step - walked) / length))
        walked += length
    return points


def toward(start: Point, goal: Point, distance: float) -> Point:
    """The point ``distance`` along the way, at most half of it, so that neighbouring corners never cross."""
    return mix(start, goal, min(0.5, distance / math.dist(start, goal)))


def mix(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
