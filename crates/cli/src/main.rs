//! The `seawall` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    seawall_cli::main()
}
