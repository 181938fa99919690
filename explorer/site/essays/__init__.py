"""Essays: each tells one idea in five minutes, beside a picture that changes as one reads."""
