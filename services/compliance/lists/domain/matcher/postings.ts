/** Which numbers belong to a key: lists behind each other in one array. */
export interface Postings {
  starts: Uint32Array;
  members: Uint32Array;
}

/** Collects pairs of key and member; both count from 0. */
export function createPostingsBuilder() {
  let pairs = new Uint32Array(1 << 12);
  let used = 0;
  const add = (key: number, member: number) => {
    if (used + 2 > pairs.length) {
      const larger = new Uint32Array(2 * pairs.length);
      larger.set(pairs);
      pairs = larger;
    }
    pairs[used++] = key;
    pairs[used++] = member;
  };
  const finish = (keys: number): Postings => {
    const starts = new Uint32Array(keys + 1);
    for (let at = 0; at < used; at += 2) starts[pairs[at]! + 1]!++;
    for (let key = 0; key < keys; key++) starts[key + 1]! += starts[key]!;
    const next = starts.slice();
    const members = new Uint32Array(used / 2);
    for (let at = 0; at < used; at += 2) members[next[pairs[at]!]!++] = pairs[at + 1]!;
    return { starts, members };
  };
  return { add, finish };
}

export function membersOf({ starts, members }: Postings, key: number): Uint32Array {
  return members.subarray(starts[key]!, starts[key + 1]!);
}
