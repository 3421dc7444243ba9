//! Memory in pieces: what is sent from it, and what is received into it.

use smallvec::SmallVec;

use crate::stage::{Mail, Piece};

/// As many as a stage has most likely, without asking for memory.
pub(crate) type Few<T> = SmallVec<[T; 4]>;

/// All memories of a stage, in pieces that nobody else has.
pub(crate) struct Carved<'a> {
    pub(crate) outs: Few<&'a [u8]>,
    gets: Few<&'a mut [u8]>,
}

impl<'a> Carved<'a> {
    /// Each is received once.
    pub(crate) fn get(&mut self, piece: usize) -> &'a mut [u8] {
        std::mem::take(&mut self.gets[piece])
    }

    /// What is received is cut out, and what is sent is somewhere between.
    pub(crate) fn new(memories: impl Iterator<Item = &'a mut [u8]>, mail: &Mail) -> Self {
        let mut gets: Few<&mut [u8]> = Few::new();
        gets.resize_with(mail.gets.len(), Default::default);
        let mut rests: SmallVec<[(usize, usize, &[u8]); 8]> = SmallVec::new();
        let mut next = mail.order.iter().copied().peekable();
        for (memory, mut bytes) in memories.enumerate() {
            let mut first = 0;
            while let Some(at) = next.next_if(|&at| mail.gets[at].memory == memory) {
                let range = &mail.gets[at].range;
                let (before, after) = bytes.split_at_mut(range.start - first);
                let (get, after) = after.split_at_mut(range.len());
                rests.push((memory, first, before));
                (gets[at], bytes, first) = (get, after, range.end);
            }
            rests.push((memory, first, bytes));
        }
        let out = |Piece { memory, range }: &Piece| {
            let at = rests.partition_point(|&(of, first, _)| (of, first) <= (*memory, range.start));
            let (_, first, rest) = rests[at - 1];
            &rest[range.start - first..range.end - first]
        };
        Self { outs: mail.outs.iter().map(out).collect(), gets }
    }
}
