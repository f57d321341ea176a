"""Wing 2: multinomial logistic bandits."""
