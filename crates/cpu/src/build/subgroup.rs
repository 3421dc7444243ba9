//! Operations of subgroups, number by number.

use naga::{CollectiveOperation, Direction, Expression, GatherMode, Handle, SubgroupOperation};

use super::{Builder, Expr, Frame};
use crate::ir::{Binary, Op, Reach, Shuffle, Subgroup, Ty, Value};

/// Words of a ballot.
const BALLOT_WORDS: u8 = 4;

impl<'a> Builder<'a> {
    /// Whether it holds, one bit for each lane.
    pub(super) fn ballot(
        &mut self,
        frame: &mut Frame<'a>,
        predicate: Option<Handle<Expression>>,
        result: Handle<Expression>,
    ) {
        let holds = match predicate {
            Some(predicate) => self.value(frame, predicate),
            None => self.constant(Ty::Bool, 1),
        };
        let words = (0..BALLOT_WORDS).map(|word| self.emit(Ty::U32, Op::Subgroup(Subgroup::Ballot(word), vec![holds])));
        let words = words.collect();
        self.bind(frame, result, Expr::Values(words));
    }

    /// Sums and their like.
    pub(super) fn collect(
        &mut self,
        frame: &mut Frame<'a>,
        (op, of): (SubgroupOperation, CollectiveOperation),
        argument: Handle<Expression>,
        result: Handle<Expression>,
    ) {
        let op = match op {
            SubgroupOperation::Add => Binary::Add,
            SubgroupOperation::Mul => Binary::Mul,
            SubgroupOperation::Min => Binary::Min,
            SubgroupOperation::Max => Binary::Max,
            SubgroupOperation::All | SubgroupOperation::And => Binary::And,
            SubgroupOperation::Any | SubgroupOperation::Or => Binary::Or,
            SubgroupOperation::Xor => Binary::Xor,
        };
        let reach = match of {
            CollectiveOperation::Reduce => Reach::All,
            CollectiveOperation::InclusiveScan => Reach::UpTo,
            CollectiveOperation::ExclusiveScan => Reach::Before,
        };
        self.each_number(frame, Subgroup::Fold(op, reach), (argument, None), result);
    }

    /// Another lane's value.
    pub(super) fn gather(
        &mut self,
        frame: &mut Frame<'a>,
        mode: GatherMode,
        argument: Handle<Expression>,
        result: Handle<Expression>,
    ) {
        let (what, lane) = match mode {
            GatherMode::BroadcastFirst => (Subgroup::First, None),
            GatherMode::Broadcast(at) | GatherMode::Shuffle(at) => (Subgroup::Shuffle(Shuffle::At), Some(at)),
            GatherMode::ShuffleDown(by) => (Subgroup::Shuffle(Shuffle::Down), Some(by)),
            GatherMode::ShuffleUp(by) => (Subgroup::Shuffle(Shuffle::Up), Some(by)),
            GatherMode::ShuffleXor(by) => (Subgroup::Shuffle(Shuffle::Xor), Some(by)),
            GatherMode::QuadBroadcast(at) => (Subgroup::Shuffle(Shuffle::Quad), Some(at)),
            GatherMode::QuadSwap(direction) => {
                let by = match direction {
                    Direction::X => 1,
                    Direction::Y => 2,
                    Direction::Diagonal => 3,
                };
                let by = self.constant(Ty::U32, by);
                return self.each_of(frame, Subgroup::Shuffle(Shuffle::Xor), (argument, Some(by)), result);
            }
        };
        self.each_number(frame, what, (argument, lane), result);
    }

    fn each_number(
        &mut self,
        frame: &mut Frame<'a>,
        what: Subgroup,
        (argument, lane): (Handle<Expression>, Option<Handle<Expression>>),
        result: Handle<Expression>,
    ) {
        let lane = lane.map(|lane| self.value(frame, lane));
        self.each_of(frame, what, (argument, lane), result);
    }

    fn each_of(
        &mut self,
        frame: &mut Frame<'a>,
        what: Subgroup,
        (argument, lane): (Handle<Expression>, Option<Value>),
        result: Handle<Expression>,
    ) {
        let numbers = self.values(frame, argument);
        let numbers = numbers.into_iter().map(|number| {
            let args = [number].into_iter().chain(lane).collect();
            self.emit(self.f.ty(number), Op::Subgroup(what, args))
        });
        let numbers = numbers.collect();
        self.bind(frame, result, Expr::Values(numbers));
    }
}
