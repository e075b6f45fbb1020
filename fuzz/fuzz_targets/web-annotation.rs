#![no_main]
karat_fuzz::reader!("web-annotation");
