"""How long something took, as p50, p95 and p99 in milliseconds."""

import gc
import time


def taken(work):
    """Return how many milliseconds one run of the work took, and what it gave."""
    began = time.perf_counter()
    given = work()
    return (time.perf_counter() - began) * 1000, given


def often(work, times, first=3):
    """Return what many runs took, the first few left out."""
    for _ in range(first):
        work()
    gc.collect()
    return [taken(work)[0] for _ in range(times)]


def percentile(times, share):
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def figures(times):
    shares = {f"p{round(share * 100)}": percentile(times, share) for share in (0.5, 0.95, 0.99)}
    return {**shares, "n": len(times)}
