"""The Attack Dice Chart as printed, cell by cell: data, not a formula."""

from typing import Final

POWER_MOST: Final = 20
DEFENCE_MOST: Final = 15
"""Higher values count as these in every method; the chart's last row is 20+, its last column 15+."""

PRINTED: Final = """
A   4+  5+  6+  6/2 6/3 6/4 6/5 6/6 6/6/2 6/6/3 6/6/4 6/6/5 6/6/6 6/6/6 6/6/6
A   3+  4+  5+  6+  6/2 6/3 6/4 6/5 6/6   6/6/2 6/6/3 6/6/4 6/6/5 6/6/6 6/6/6
A   2+  3+  4+  5+  6+  6/2 6/3 6/4 6/5   6/6   6/6/2 6/6/3 6/6/4 6/6/5 6/6/6
A   2+  2+  3+  4+  5+  6+  6/2 6/3 6/4   6/5   6/6   6/6/2 6/6/3 6/6/4 6/6/5
A   2+  2+  2+  3+  4+  5+  6+  6/2 6/3   6/4   6/5   6/6   6/6/2 6/6/3 6/6/4
A   2+  2+  2+  2+  3+  4+  5+  6+  6/2   6/3   6/4   6/5   6/6   6/6/2 6/6/3
A   A   2+  2+  2+  2+  3+  4+  5+  6+    6/2   6/3   6/4   6/5   6/6   6/6/2
Ax2 A   A   2+  2+  2+  2+  3+  4+  5+    6+    6/2   6/3   6/4   6/5   6/6
Ax2 Ax2 A   A   2+  2+  2+  2+  3+  4+    5+    6+    6/2   6/3   6/4   6/5
Ax3 Ax2 Ax2 A   A   2+  2+  2+  2+  3+    4+    5+    6+    6/2   6/3   6/4
Ax3 Ax3 Ax2 Ax2 A   A   2+  2+  2+  2+    3+    4+    5+    6+    6/2   6/3
Ax4 Ax3 Ax3 Ax2 Ax2 A   A   2+  2+  2+    2+    3+    4+    5+    6+    6/2
Ax4 Ax4 Ax3 Ax3 Ax2 Ax2 A   A   2+  2+    2+    2+    3+    4+    5+    6+
Ax5 Ax4 Ax4 Ax3 Ax3 Ax2 Ax2 A   A   2+    2+    2+    2+    3+    4+    5+
Ax5 Ax5 Ax4 Ax4 Ax3 Ax3 Ax2 Ax2 A   A     2+    2+    2+    2+    3+    4+
Ax6 Ax5 Ax5 Ax4 Ax4 Ax3 Ax3 Ax2 Ax2 A     A     2+    2+    2+    2+    3+
Ax6 Ax6 Ax5 Ax5 Ax4 Ax4 Ax3 Ax3 Ax2 Ax2   A     A     2+    2+    2+    2+
Ax7 Ax6 Ax6 Ax5 Ax5 Ax4 Ax4 Ax3 Ax3 Ax2   Ax2   A     A     2+    2+    2+
Ax7 Ax7 Ax6 Ax6 Ax5 Ax5 Ax4 Ax4 Ax3 Ax3   Ax2   Ax2   A     A     2+    2+
Ax8 Ax7 Ax7 Ax6 Ax6 Ax5 Ax5 Ax4 Ax4 Ax3   Ax3   Ax2   Ax2   A     A     2+
"""

CHART: Final = tuple(tuple(line.split()) for line in PRINTED.strip().splitlines())
"""``CHART[power - 1][defence]`` is the need: rows Power 1 to 20+, columns Defence 0 to 15+; Power 0 is not printed."""
