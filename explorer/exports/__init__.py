"""Files that leave the explorer: a lab's state as one HTML file that needs no server and no network, and others."""
