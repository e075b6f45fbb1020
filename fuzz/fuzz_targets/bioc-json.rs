#![no_main]
karat_fuzz::reader!("bioc-json");
