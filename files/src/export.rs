//! Programs as files that the real tools read.
