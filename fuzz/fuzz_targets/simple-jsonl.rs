#![no_main]
karat_fuzz::reader!("simple-jsonl");
