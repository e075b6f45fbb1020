//! How the command is linked.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Tables of strings and functions hold addresses. If these are known beforehand, no page of them
    // has to be copied and filled in at each start, which takes as long as reading a small file.
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
