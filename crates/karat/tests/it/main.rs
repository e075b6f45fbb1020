//! Tests of the whole road: every format against its law and against real files.

mod aida;
mod data;
mod generate;
mod hardiness;
mod round_trip;
mod shared_data;
mod tac;
