#![no_main]
karat_fuzz::reader!("elevant-markup");
