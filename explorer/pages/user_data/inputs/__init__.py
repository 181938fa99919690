"""Inputs for the user's data: uploads, pasted text, previews, a second file."""
