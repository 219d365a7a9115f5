"""The games: pure rules that know nothing but the standard library."""
