"""Troopers: profiles, skills, weapons, programs, states, and declarations."""
