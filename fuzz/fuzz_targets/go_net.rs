#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| sanqi_fuzz::files::go_net(input));
