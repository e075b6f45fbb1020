#![no_main]
karat_fuzz::reader!("bioc-xml");
