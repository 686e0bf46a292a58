"""Legal moves of xiangqi as pyffish sees them: a FEN a line in, the sorted moves (ranks 1 to 10) a line out."""

import sys

try:
    import pyffish
except ImportError:
    sys.exit(77)

for line in sys.stdin:
    print(" ".join(sorted(pyffish.legal_moves("xiangqi", line.strip(), []))))
