"""How the weights of the trained evaluation of Ludo are learned: by playing itself."""
