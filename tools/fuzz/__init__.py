"""Broken, huge, hostile and Unicode requests at every address: what to send, how, and what no answer may ever hold."""
