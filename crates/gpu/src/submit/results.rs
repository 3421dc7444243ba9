//! Results on their way to a belt.

use seawall_core::device::Error;
use seawall_core::schedule::Binding;

use super::{Run, place};
use crate::landing::{Landing, To};
use crate::memory::padded;
use crate::pack;
use crate::pieces::{Counted, Goal, Part, Piece, Slab};

impl Run<'_> {
    /// Copies what finds room in the belt for the host's results; gives the place.
    fn copy_result(&mut self, source: &wgpu::Buffer, offset: u64, bytes: u64) -> u64 {
        let readback = &mut self.found.stats.readback;
        readback.copies += 1;
        readback.selected_bytes += padded(bytes);
        self.copy_down(source, offset, padded(bytes))
    }

    /// Copies a range, in several parts if the belt asks for it, and lets what is in it land where it
    /// belongs. Belts are cut between words, so that a count is never cut.
    pub(super) fn fetch_piece(&mut self, piece: &Piece) -> Result<(), Error> {
        self.step = Some(piece.step);
        let (range, (source, offset)) = (piece.from, self.buffer(&piece.from));
        if piece.length().is_some() && self.down().room() < range.bytes {
            self.flush()?;
        }
        let mut done = 0;
        while done < range.bytes {
            self.make_time()?;
            let bytes = (range.bytes - done).min(self.down().room());
            if bytes == 0 {
                self.flush()?;
                continue;
            }
            let place = self.copy_result(&source, offset + done, bytes);
            for part in &piece.parts {
                let (start, end) = (part.offset.max(done), (part.offset + part.bytes).min(done + bytes));
                if start < end {
                    let part =
                        Part { offset: start - done, bytes: end - start, to: part.to.after(start - part.offset) };
                    self.landings.push(landing(place, &part, false));
                }
            }
            done += bytes;
        }
        Ok(())
    }

    /// Brings small pieces into one part of the belt; or each where it finds room, if there is none for
    /// all of them, or if the run is timed and may have to submit in between.
    pub(super) fn slab(&mut self, pack: usize, slab: &Slab) -> Result<(), Error> {
        let align_bytes = if slab.packs() { pack::ALIGN_BYTES } else { 1 };
        if self.control.clock.is_some() || slab.bytes > self.down().bytes() {
            return slab.pieces.iter().try_for_each(|(_, piece)| self.fetch_piece(piece));
        }
        let place = if let Some(place) = self.down().take_at(align_bytes, slab.bytes) {
            place
        } else {
            self.flush()?;
            self.down().take(slab.bytes)
        };
        let belt = self.down().raw().clone();
        for (at, piece) in &slab.pieces {
            let (to, counted) = (place + at, piece.length().is_some());
            if !counted {
                let ((source, offset), bytes) = (self.buffer(&piece.from), padded(piece.from.bytes));
                self.command(|encoder| encoder.copy_buffer_to_buffer(&source, offset, &belt, to, bytes));
                self.found.stats.readback.copies += 1;
                self.found.stats.readback.selected_bytes += bytes;
            }
            self.landings.extend(piece.parts.iter().map(|part| landing(to, part, counted)));
        }
        match slab.pieces.last() {
            Some((_, last)) if last.length().is_some() => self.pack(pack, last.step, (&belt, place)),
            _ => Ok(()),
        }
    }

    /// Packs what only the device knows the length of into a slab.
    fn pack(&mut self, which: usize, step: usize, slab: (&wgpu::Buffer, u64)) -> Result<(), Error> {
        self.pass(step)?;
        let Some(pass) = &mut self.pass else { unreachable!("invariant pass: just begun") };
        let (pack, buffers) = (&mut self.ready.packs[which], &self.buffers);
        pack.record(&self.open, pass, |range| place(buffers, range).clone(), slab)?;
        self.set = None;
        self.found.stats.readback.copies += pack.commands();
        Ok(())
    }

    pub(super) fn download(&mut self, range: &Binding, host: usize, at: u64, length: Counted) -> Result<(), Error> {
        let bytes = length.length.meaningful_bytes(self.found.counts[length.which], range.bytes);
        self.found.capacity_bytes += range.bytes - bytes;
        let to = Goal::Host { host, at, length: None };
        let from = Binding { bytes, ..*range };
        let step = self.step.expect("invariant steps: each command has its own");
        self.fetch_piece(&Piece { step, from, parts: vec![Part { offset: 0, bytes, to }] })
    }
}

/// A part of what starts at this byte of a belt.
fn landing(start: u64, part: &Part, packed: bool) -> Landing {
    let to = match part.to {
        Goal::Host { host, at, length } => To::Host { host, offset: at, bytes: part.bytes, length, packed },
        Goal::Count(which) => To::Count { which },
    };
    Landing { from: start + part.offset, to }
}
