"""Serving of pages: threads, idle updates, uploads, cookies, reconnection, settings of the process."""
