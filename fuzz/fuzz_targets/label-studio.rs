#![no_main]
karat_fuzz::reader!("label-studio");
