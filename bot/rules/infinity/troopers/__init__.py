"""Troopers: profiles, skills, weapons, programs, states, and what is declared of them."""
