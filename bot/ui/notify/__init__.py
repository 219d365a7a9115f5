"""Unrequested messages: mentions, log channel copies, a welcome."""
