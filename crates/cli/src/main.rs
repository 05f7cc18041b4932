//! The program `tkanina`.

fn main() {}
