

struct NAME_words {
    head: u32,
    count: u32,
    // Apart from what everybody reads: those who push would take it from their caches each time.
    @align(128) tail: atomic<u32>,
    dropped: atomic<u32>,
}

@group(1000) @binding(RING) var<storage, read_write> NAME_ring: array<ENTRY>;
@group(1000) @binding(WORDS) var<storage, read_write> NAME_control: NAME_words;

fn NAME_len() -> u32 {
    return NAME_control.count;
}

fn NAME_waiting() -> u32 {
    return atomicLoad(&NAME_control.tail) - NAME_control.head - NAME_control.count;
}

fn NAME_item(i: u32) -> ENTRY {
    return NAME_ring[NAME_at(NAME_control.head + i)];
}

// Where a place lies. The head lies in the ring, and no place is further from it than the ring is long.
fn NAME_at(place: u32) -> u32 {
    let capacity = arrayLength(&NAME_ring);
    return select(place, place - capacity, place >= capacity);
}

fn NAME_reserve(count: u32) -> u32 {
    let head = NAME_control.head;
    let capacity = arrayLength(&NAME_ring);
    // Once it is full the tail stays: it must never wrap around to the head.
    if count > 65536u || atomicLoad(&NAME_control.tail) - head >= capacity {
        return head + capacity;
    }
    return atomicAdd(&NAME_control.tail, count);
}

fn NAME_put(place: u32, item: ENTRY) -> bool {
    if place - NAME_control.head >= arrayLength(&NAME_ring) {
        atomicAdd(&NAME_control.dropped, 1u);
        return false;
    }
    NAME_ring[NAME_at(place)] = item;
    return true;
}

fn NAME_push(item: ENTRY) -> bool {
    let fits = NAME_put(atomicAdd(&NAME_control.tail, 1u), item);
    if !fits {
        atomicSub(&NAME_control.tail, 1u);
    }
    return fits;
}

const NAME_BATCH = 16u;
var<private> NAME_batch: array<ENTRY, NAME_BATCH>;
var<private> NAME_batched: u32;

fn NAME_add(item: ENTRY) {
    NAME_keep(item);
    if NAME_room() == 0u {
        NAME_flush();
    }
}

fn NAME_room() -> u32 {
    return NAME_BATCH - min(NAME_batched, NAME_BATCH);
}

// What is kept without room is not stored, but counted.
fn NAME_keep(item: ENTRY) {
    NAME_batch[NAME_batched] = item;
    NAME_batched += 1u;
}

fn NAME_flush() -> bool {
    let count = min(NAME_batched, NAME_BATCH);
    if count == 0u {
        return true;
    }
    var fit = count == NAME_batched;
    if !fit {
        atomicAdd(&NAME_control.dropped, NAME_batched - count);
    }
    NAME_batched = 0u;
    let first = NAME_reserve(count);
    for (var i = 0u; i < count; i += 1u) {
        fit = NAME_put(first + i, NAME_batch[i]) && fit;
    }
    return fit;
}

var<workgroup> NAME_wanted: atomic<u32>;
var<workgroup> NAME_first: u32;

fn NAME_push_if(wanted: bool, item: ENTRY, local_index: u32) -> bool {
    if local_index == 0u {
        atomicStore(&NAME_wanted, 0u);
    }
    workgroupBarrier();
    var place = 0u;
    if wanted {
        place = atomicAdd(&NAME_wanted, 1u);
    }
    workgroupBarrier();
    if local_index == 0u {
        NAME_first = NAME_reserve(atomicLoad(&NAME_wanted));
    }
    let first = workgroupUniformLoad(&NAME_first);
    if wanted {
        return NAME_put(first + place, item);
    }
    return false;
}
