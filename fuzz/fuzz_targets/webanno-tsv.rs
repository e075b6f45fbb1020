#![no_main]
karat_fuzz::reader!("webanno-tsv");
