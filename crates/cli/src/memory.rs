//! Host memory for buffers: bounded by a named limit, and its failure is a value.

/// The most that one buffer may take on the host.
pub(crate) const BUFFER_BYTES_MAX: u64 = 4 << 30;

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
    memory.try_reserve(more).map_err(|_| Error::OutOfMemory { bytes })?;
    memory.resize(memory.len() + more, 0);
    Ok(())
}
