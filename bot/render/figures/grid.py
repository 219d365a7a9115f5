"""A printed table with its headers, the marked cell framed."""
