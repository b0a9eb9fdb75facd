"""Recorded sessions of real hosts, shipped so that `segue demo` has something true to show. Never code."""
