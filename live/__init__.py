"""The live runner: real hosts against a scripted model, scored by lists written by hand. Not part of the package."""
