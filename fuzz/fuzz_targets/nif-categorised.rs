#![no_main]
karat_fuzz::reader!("nif-categorised");
