"""Tree picture of the conditional lab: beliefs at the nodes of a tree, and how they are drawn."""
