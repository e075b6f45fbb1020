#![no_main]
karat_fuzz::reader!("geo-xml");
