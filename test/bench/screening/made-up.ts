import type { ListEntry } from "../../../services/compliance/lists/domain/list-entry.js";

const starts =
  "ba be bi bo bu da de di do ga ge go ha hi ka ke ki ko la le li lo ma me mi mo na ne no pa pe ra re ri ro sa se".split(
    " ",
  );
const ends =
  "ban bert dar den din dor fan gar han kan lan lim man mir nar nok ran rik ros san sen tan ter tos van vic wan zar".split(
    " ",
  );

/** A number of the same sequence for the same seed, from 0 up to `below`. */
function pick(seed: number, salt: number, below: number): number {
  let hash = Math.imul(seed ^ (salt * 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % below;
}

type Sounds = { starts: readonly string[]; ends: readonly string[] };

const ofLists: Sounds = { starts, ends };
// Of people whom no list resembles.
const ofPeople: Sounds = {
  starts: "cha che chi qua que shu thi tho wha whe xa xe ya ye yu zha zhi zhu jo ju fa fe fi fu va ve vi vu".split(" "),
  ends: "quist worth wick ford shaw smythe field hough vaux xing yeux jeff chuck whyte thwaite quaye".split(" "),
};

function word(seed: number, salt: number, sounds: Sounds): string {
  const first = sounds.starts[pick(seed, salt, sounds.starts.length)]!;
  const second = sounds.starts[pick(seed, salt + 1, sounds.starts.length)]!;
  const text = `${first}${second}${sounds.ends[pick(seed, salt + 2, sounds.ends.length)]!}`;
  return text[0]!.toUpperCase() + text.slice(1);
}

/** A name that nobody has, of three words: another for another number. */
export function madeUpName(seed: number, sounds = ofLists): string {
  return [word(seed, 1, sounds), word(seed, 11, sounds), word(seed, 21, sounds)].join(" ");
}

/** The same of somebody whom no list of made-up names resembles. */
export function madeUpPerson(seed: number): string {
  return madeUpName(seed, ofPeople);
}

/** An entry of a list with one name and a date of birth. */
export function madeUpEntry(seed: number): ListEntry {
  return {
    entryId: `M-${seed}`,
    kind: "PERSON",
    names: [{ text: madeUpName(seed), quality: "PRIMARY" }],
    datesOfBirth: [{ year: 1940 + pick(seed, 31, 60) }],
    countries: ["RUS"],
    documents: [],
    programmes: [],
    remarks: "",
  };
}
