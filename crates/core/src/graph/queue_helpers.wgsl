

struct NAME_words {
    head: u32,
    tail: atomic<u32>,
    dropped: atomic<u32>,
    count: u32,
}

@group(1000) @binding(RING) var<storage, read_write> NAME_ring: array<ENTRY>;
@group(1000) @binding(WORDS) var<storage, read_write> NAME_control: NAME_words;

fn NAME_len() -> u32 {
    return NAME_control.count;
}

fn NAME_item(i: u32) -> ENTRY {
    return NAME_ring[(NAME_control.head + i) % arrayLength(&NAME_ring)];
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
    let capacity = arrayLength(&NAME_ring);
    if place - NAME_control.head >= capacity {
        atomicAdd(&NAME_control.dropped, 1u);
        return false;
    }
    NAME_ring[place % capacity] = item;
    return true;
}

fn NAME_push(item: ENTRY) -> bool {
    return NAME_put(NAME_reserve(1u), item);
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
