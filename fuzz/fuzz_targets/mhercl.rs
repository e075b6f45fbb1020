#![no_main]
karat_fuzz::reader!("mhercl");
