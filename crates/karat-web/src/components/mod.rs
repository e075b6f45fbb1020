//! What pages are made of, one file each.
