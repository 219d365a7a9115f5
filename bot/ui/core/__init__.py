"""Parts that every message needs: request context, components, responses, uploads."""
