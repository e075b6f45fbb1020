#![no_main]
karat_fuzz::reader!("nested-jsonl");
