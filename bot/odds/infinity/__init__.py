"""The exact odds of Infinity: Normal and Face to Face Rolls, shared dice, Saving Rolls."""
