"""The conditional lab's tree picture: beliefs at the nodes of a tree, and how they are drawn."""
