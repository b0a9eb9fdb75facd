"""The benchmarks, one module each: `run(options)` gives figures as JSON data."""
