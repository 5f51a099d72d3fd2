"""Tests of threads, channels and servers."""
