"""What every message needs: who asks, components, responses, uploads."""
