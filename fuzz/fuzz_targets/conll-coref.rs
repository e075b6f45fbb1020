#![no_main]
karat_fuzz::reader!("conll-coref");
