"""What each attack die needs: one face, a chain of faces, or nothing; or no damage is possible."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Need:
    """A need, read from its printed text.

    ``steps``: the lowest face for each roll of the same die: ``4+`` is (4,), ``6/4+`` is (6, 4); () if nothing is
    rolled. ``multiplier``: 3 for ``Ax3``, 0 if no damage is possible (``-``), otherwise 1.
    """

    text: str
    steps: tuple[int, ...]
    multiplier: int

    @property
    def is_automatic(self) -> bool:
        """Nothing is rolled and every attack die is successful."""
        return not self.steps and self.multiplier > 0

    def is_done(self, faces: Sequence[int]) -> bool:
        """Whether a die that shows these faces, in the order rolled, is not rolled again."""
        return len(faces) >= len(self.steps) or not self.is_on_course(faces)

    def is_met(self, faces: Sequence[int]) -> bool:
        """Whether a die that was rolled and shows these faces is successful."""
        return len(faces) == len(self.steps) > 0 and self.is_on_course(faces)

    def is_on_course(self, faces: Sequence[int]) -> bool:
        return all(face >= step for face, step in zip(faces, self.steps, strict=False))


def read(text: str) -> Need:
    """``4+``, ``6/4+``, ``6/2`` (2 or more, as the chart prints it), ``A``, ``Ax3``, ``-``."""
    if text == "-":
        return Need(text, (), 0)
    if text.startswith("A"):
        return Need(text, (), int(text.removeprefix("Ax")) if text != "A" else 1)
    return Need(text, tuple(int(face) for face in text.removesuffix("+").split("/")), 1)
