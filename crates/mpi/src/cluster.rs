//! The ranks of a program, and how they agree to go on.
//!
//! In a vote, one all-reduce of two words, each rank says whether it failed. A rank that fails does its part of the
//! exchanges until then, and says in them that it has nothing to give (see `transfer`): nobody is left waiting for a
//! message that will not come. Loops that a word decides, checkpoints, exchanges that cannot say it themselves, every
//! [`VOTE_EVERY`]-th stage and the end of a run have a vote, the same on all ranks. A rank that leaves votes once more.
//! One that is killed is found by MPI's own launcher, which ends the others; one that panics asks it to.

use std::cell::Cell;
use std::fmt;
use std::rc::Rc;

use bytemuck::Pod;
use mpi::collective::SystemOperation;
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Root, Source};
use mpi::{Rank, Threading};

use crate::error::Error;
use crate::exchange::MESSAGE_BYTES_MAX;
use crate::graph::Graph;
use crate::part::Rows;

/// Stages of exchanges from one vote to the next, at the most.
pub(crate) const VOTE_EVERY: u64 = 64;

/// The ranks of a program, this one among them.
pub struct Cluster {
    pub(crate) comm: SimpleCommunicator,
    rank: usize,
    ranks: usize,
    /// Some rank has left, and no more is said.
    ended: Cell<bool>,
    message_bytes_max: Cell<usize>,
    /// MPI ends with the last that needs it.
    universe: Rc<Universe>,
}

/// What a rank has to say in a vote; the greater wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Voice {
    Fine = 0,
    Failed = 1,
    Leaves = 2,
}

/// Whose failure a vote was about.
#[derive(Debug)]
pub(crate) enum Heard {
    /// This rank's own.
    Mine,
    Theirs(Error),
}

/// What came of a vote.
enum Outcome {
    /// All are fine; the greatest of their words.
    Go(u64),
    Failed(usize),
    Left(usize),
}

impl fmt::Debug for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} of {}", self.rank, self.ranks)
    }
}

impl Cluster {
    /// All ranks that `mpirun` started; this one alone if nobody did. MPI starts with it, and ends when it is
    /// dropped, so a process has one.
    pub fn world() -> Result<Self, Error> {
        let (universe, _) = mpi::initialize_with_threading(Threading::Funneled).ok_or(Error::Started)?;
        Ok(Self::over(universe.world(), Rc::new(universe)))
    }

    /// This rank as a cluster of its own: what one machine would do.
    #[must_use]
    pub fn alone(&self) -> Self {
        Self::over(SimpleCommunicator::self_comm(), self.universe.clone())
    }

    fn over(comm: SimpleCommunicator, universe: Rc<Universe>) -> Self {
        let (rank, ranks) = (comm.rank() as usize, comm.size() as usize);
        Self { comm, rank, ranks, ended: Cell::new(false), message_bytes_max: Cell::new(MESSAGE_BYTES_MAX), universe }
    }

    /// Which one this is.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// How many there are.
    pub fn ranks(&self) -> usize {
        self.ranks
    }

    /// What is longer goes in parts; the same on all ranks. From 8 bytes to [`MESSAGE_BYTES_MAX`], which it is if not
    /// said.
    pub fn message_bytes_max(&self, bytes: usize) {
        self.message_bytes_max.set(bytes.clamp(8, MESSAGE_BYTES_MAX));
    }

    pub(crate) fn part_bytes(&self) -> usize {
        self.message_bytes_max.get()
    }

    /// An empty graph for this rank.
    pub fn graph(&self) -> Graph {
        Graph::new(self.rank, self.ranks)
    }

    /// A block of rows for each rank.
    pub fn block(&self, rows: u64) -> Rows {
        Rows::block(rows, self.ranks)
    }

    /// Waits for all ranks: if `result` is an error on one of them, it is one on all, with that rank's message.
    pub fn agree<T>(&self, result: Result<T, Error>) -> Result<T, Error> {
        self.agree_as(result)
    }

    /// The same for errors of the caller's own.
    pub fn agree_as<T, E: fmt::Display + From<Error>>(&self, result: Result<T, E>) -> Result<T, E> {
        let message = result.as_ref().err().map(ToString::to_string);
        match (self.vote(message.as_deref(), 0), result) {
            (Ok(_) | Err(Heard::Mine), result) => result,
            (Err(Heard::Theirs(error)), _) => Err(error.into()),
        }
    }

    /// The greatest of the numbers that the ranks say, on all of them.
    pub fn greatest(&self, mine: u64) -> Result<u64, Error> {
        match self.vote(None, mine) {
            Ok(greatest) => Ok(greatest),
            Err(Heard::Theirs(error)) => Err(error),
            Err(Heard::Mine) => unreachable!("invariant vote: this rank is fine"),
        }
    }

    /// Says whether this rank failed, and hears whether one did; if not, what the greatest of all ranks' words is.
    pub(crate) fn vote(&self, mine: Option<&str>, word: u64) -> Result<u64, Heard> {
        if self.ended.get() {
            return Err(if mine.is_some() { Heard::Mine } else { Heard::Theirs(Error::Left { rank: self.rank }) });
        }
        let voice = if mine.is_none() { Voice::Fine } else { Voice::Failed };
        match self.poll(voice, word) {
            Outcome::Go(word) => Ok(word),
            Outcome::Failed(rank) => {
                let message = self.broadcast(rank, mine.unwrap_or_default());
                // One that says the same keeps its own error, with its type.
                let same = mine == Some(&message);
                Err(if same { Heard::Mine } else { Heard::Theirs(Error::There { rank, message }) })
            }
            Outcome::Left(rank) => {
                self.ended.set(true);
                Err(if mine.is_some() { Heard::Mine } else { Heard::Theirs(Error::Left { rank }) })
            }
        }
    }

    fn poll(&self, voice: Voice, word: u64) -> Outcome {
        // The lowest of the ranks that say the same is the greatest number.
        let said = if voice == Voice::Fine { 0 } else { (voice as u64) << 32 | (self.ranks - self.rank) as u64 };
        let (mine, mut all) = ([said, word], [0u64; 2]);
        if self.ranks == 1 {
            all = mine;
        } else {
            self.comm.all_reduce_into(&mine[..], &mut all[..], SystemOperation::max());
        }
        let rank = self.ranks - (all[0] & u64::from(u32::MAX)) as usize;
        match all[0] >> 32 {
            0 => Outcome::Go(all[1]),
            1 => Outcome::Failed(rank),
            _ => Outcome::Left(rank),
        }
    }

    fn broadcast(&self, rank: usize, text: &str) -> String {
        let (root, mut bytes) = (self.comm.process_at_rank(rank as Rank), text.as_bytes().to_vec());
        bytes.truncate(MESSAGE_BYTES_MAX);
        let mut len = bytes.len() as u64;
        root.broadcast_into(&mut len);
        bytes.resize(len as usize, 0);
        root.broadcast_into(&mut bytes[..]);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// What each rank says; only after a vote.
    pub(crate) fn gather(&self, mine: [u64; 3]) -> Vec<[u64; 3]> {
        let mut all = vec![0u64; 3 * self.ranks];
        self.comm.all_gather_into(&mine[..], &mut all[..]);
        all.chunks_exact(3).map(|said| [said[0], said[1], said[2]]).collect()
    }
}

impl Cluster {
    /// All elements of rows, on rank 0, from what each rank has of them in its memory, halos included.
    pub fn collect<T: Pod>(&self, rows: &Rows, local: &[T]) -> Result<Option<Vec<T>>, Error> {
        let (expected, len) = (rows.local_len(self.rank), local.len() as u64);
        self.agree(if expected == len { Ok(()) } else { Err(Error::Whole { len, expected }) })?;
        let own: &[u8] = bytemuck::cast_slice(&local[rows.own_range(self.rank)]);
        if self.rank > 0 {
            let root = self.comm.process_at_rank(0);
            own.chunks(self.part_bytes()).for_each(|part| root.send(part));
            return Ok(None);
        }
        let mut whole = vec![T::zeroed(); rows.len() as usize];
        let (first, rest) = bytemuck::cast_slice_mut::<T, u8>(&mut whole).split_at_mut(own.len());
        first.copy_from_slice(own);
        let mut rest = rest;
        for rank in 1..self.ranks {
            let bytes = rows.own_len(rank) as usize * size_of::<T>();
            let (theirs, after) = std::mem::take(&mut rest).split_at_mut(bytes);
            rest = after;
            for part in theirs.chunks_mut(self.part_bytes()) {
                self.comm.process_at_rank(rank as Rank).receive_into(part);
            }
        }
        Ok(Some(whole))
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if std::thread::panicking() && self.ranks > 1 {
            // The others may wait for what will not come.
            self.comm.abort(101);
        }
        if !self.ended.get() && self.ranks > 1 {
            self.poll(Voice::Leaves, 0);
        }
    }
}
