#![no_main]
karat_fuzz::reader!("cne-release");
