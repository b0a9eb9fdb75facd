"""Every operation of Segue, one row each. Never renders for one door only; never reads the environment."""
