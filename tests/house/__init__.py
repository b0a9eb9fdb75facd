"""The tests of the house itself: floors, sizes, promises, pages, notes."""
