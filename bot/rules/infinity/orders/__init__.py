"""Orders: what players declare, the modifiers, who rolls against whom, and how it ends."""
