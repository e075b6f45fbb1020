#![no_main]
karat_fuzz::reader!("llm-markup");
