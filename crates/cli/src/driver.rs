//! What GPU drivers print on our standard error while they are opened. It is passed on line by line
//! with `driver:` before it, so that nobody takes it for what we say.

/// Does `work`, which opens devices.
#[cfg(not(unix))]
pub(crate) fn heard<T>(work: impl FnOnce() -> T) -> T {
    work()
}

#[cfg(unix)]
pub(crate) use listen::heard;

#[cfg(unix)]
mod listen {
    use std::fs::File;
    use std::io::{self, BufRead, BufReader};
    use std::os::fd::{AsFd, OwnedFd};
    use std::sync::mpsc::{self, Receiver};
    use std::thread;
    use std::time::Duration;

    use rustix::stdio;

    use crate::say;

    /// A process that the driver has started may keep our pipe open; it is not waited for.
    const PATIENCE: Duration = Duration::from_millis(200);

    /// Does `work`, which opens devices.
    pub(crate) fn heard<T>(work: impl FnOnce() -> T) -> T {
        // Without a pipe the lines come as they are.
        let listening = Listening::begin().ok();
        let result = work();
        drop(listening);
        result
    }

    /// While standard error is a pipe that we read.
    struct Listening {
        ours: OwnedFd,
        over: Receiver<()>,
    }

    impl Listening {
        fn begin() -> io::Result<Self> {
            let ours = io::stderr().as_fd().try_clone_to_owned()?;
            let (reader, writer) = io::pipe()?;
            say::to(Some(File::from(ours.try_clone()?)));
            let (send, over) = mpsc::channel();
            let reader = thread::Builder::new().name("seawall driver".to_owned()).spawn(move || {
                for line in BufReader::new(reader).split(b'\n').map_while(Result::ok) {
                    say::driver(&String::from_utf8_lossy(&line));
                }
                // Nobody waits any more if it took too long.
                _ = send.send(());
            });
            reader?;
            stdio::dup2_stderr(&writer)?;
            Ok(Self { ours, over })
        }
    }

    impl Drop for Listening {
        fn drop(&mut self) {
            // This closes the pipe, which ends its reader.
            if stdio::dup2_stderr(&self.ours).is_ok() {
                _ = self.over.recv_timeout(PATIENCE);
            }
            say::to(None);
        }
    }
}
