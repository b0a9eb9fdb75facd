"""Looks at words and their places, before any rule is loaded: what may be in a text, and is a value a secret?"""
