#![no_main]
karat_fuzz::reader!("clean-conll");
