//! Tests of the whole road: every format against its law and against real files.

mod data;
mod generate;
mod round_trip;
mod shared_data;
mod tables;
