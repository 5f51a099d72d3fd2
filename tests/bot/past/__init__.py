"""Tests of earlier positions, import and export."""
