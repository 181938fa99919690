"""Claims that the texts state in a sentence, without a figure or table, as studies."""
