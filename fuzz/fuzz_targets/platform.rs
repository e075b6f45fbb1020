#![no_main]
karat_fuzz::libfuzzer_sys::fuzz_target!(|data: &[u8]| karat_fuzz::platform(data));
