// What is known of a loop or a branch. The first state is of none.

struct State {
    // Whether it runs now; of the first state: whether the submission has had its time, so that no more
    // turns are begun.
    now: u32,
    // Whether it has ended; of the first: whether some grid was beyond its limit.
    ended: u32,
    // How often it was run.
    turns: u32,
    unused: u32,
}
