"""Gemini CLI's dialect."""
