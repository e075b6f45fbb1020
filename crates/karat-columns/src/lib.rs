//! Parquet and Arrow IPC tables for karat.
