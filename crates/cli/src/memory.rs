//! Host memory for buffers: bounded by a named limit and by what the machine has, and its failure is a value.

/// The most that one buffer may take on the host, whatever the machine has.
pub(crate) const BUFFER_BYTES_MAX: u64 = 1 << 38;

/// Memory that cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Error {
    #[error("{} bytes; this command takes {BUFFER_BYTES_MAX} at most for one buffer", bytes.map_or("more than 2^64".to_owned(), |n| n.to_string()))]
    OverLimit {
        /// `None` when it does not even fit in 64 bits.
        bytes: Option<u64>,
    },
    #[error("this machine has no room for {bytes} bytes")]
    OutOfMemory { bytes: u64 },
}

/// Zeros; `None` stands for a size that overflowed on the way here.
pub(crate) fn zeroed(bytes: Option<u64>) -> Result<Vec<u8>, Error> {
    let mut memory = Vec::new();
    grow(&mut memory, bytes)?;
    Ok(memory)
}

/// Makes `memory` `bytes` long, with zeros at the end; never shorter.
pub(crate) fn grow(memory: &mut Vec<u8>, bytes: Option<u64>) -> Result<(), Error> {
    let bytes = bytes.filter(|&n| n <= BUFFER_BYTES_MAX).ok_or(Error::OverLimit { bytes })?;
    let more = (bytes as usize).saturating_sub(memory.len());
    if more as u64 > room() {
        return Err(Error::OutOfMemory { bytes });
    }
    memory.try_reserve(more).map_err(|_| Error::OutOfMemory { bytes })?;
    memory.resize(memory.len() + more, 0);
    Ok(())
}

/// What can be had without taking it from others, where the system tells: Linux gives more than it has, and ends whoever
/// touches it.
pub(crate) fn room() -> u64 {
    let told = if cfg!(target_os = "linux") { std::fs::read_to_string("/proc/meminfo").ok() } else { None };
    told.as_deref().and_then(available).unwrap_or(u64::MAX)
}

/// What is available, in the words of `/proc/meminfo`.
fn available(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_tells_is_understood() {
        let text = "MemTotal:       24614580 kB\nMemFree:        18105040 kB\nMemAvailable:   22812504 kB\n";
        assert_eq!(available(text), Some(22_812_504 << 10));
        assert_eq!(available("MemTotal: 1 kB"), None);
        assert_eq!(available("MemAvailable: much"), None);
        assert!(room() > 1 << 20);
    }

    #[test]
    fn no_more_is_taken_than_there_is() {
        let over = room().saturating_mul(2);
        if over < BUFFER_BYTES_MAX {
            assert_eq!(zeroed(Some(over)), Err(Error::OutOfMemory { bytes: over }));
        }
        assert_eq!(zeroed(Some(BUFFER_BYTES_MAX + 1)), Err(Error::OverLimit { bytes: Some(BUFFER_BYTES_MAX + 1) }));
        assert_eq!(zeroed(Some(3)), Ok(vec![0; 3]));
    }
}
