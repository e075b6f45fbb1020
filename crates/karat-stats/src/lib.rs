//! From the documents-by-counts matrix to intervals, tests and ranks.
