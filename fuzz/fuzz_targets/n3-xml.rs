#![no_main]
karat_fuzz::reader!("n3-xml");
