#![no_main]
karat_fuzz::reader!("karat-jsonl");
