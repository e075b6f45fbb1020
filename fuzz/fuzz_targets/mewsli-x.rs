#![no_main]
karat_fuzz::reader!("mewsli-x");
