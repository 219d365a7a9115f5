"""The tests; a package so that the benchmarks can borrow the wire."""
