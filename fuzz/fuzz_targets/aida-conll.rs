#![no_main]
karat_fuzz::reader!("aida-conll");
