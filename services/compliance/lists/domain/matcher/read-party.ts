import type { ListEntry } from "../list-entry.js";
import type { ScreenedParty } from "../party.js";
import { readName, type Name, type NameKind } from "../../../../kernel/names/name.js";

/** A party whose names were read, each in the ways in which names can be read. */
export interface ReadParty {
  party: ScreenedParty;
  readings: Readonly<Record<NameKind, readonly Name[]>>;
}

/** More than anybody has: further spellings are not compared, so that a search stays bounded. */
const mostNames = 8;

export function readParty(party: ScreenedParty): ReadParty {
  const names = party.names.slice(0, mostNames);
  const read = (kind: NameKind) => names.flatMap((name) => readName(name, kind));
  return { party, readings: { PERSON: read("PERSON"), COMPANY: read("COMPANY") } };
}

/** In which ways the names of an entry are read. */
export function kindsOfEntry(kind: ListEntry["kind"]): readonly NameKind[] {
  if (kind === "PERSON") return ["PERSON"];
  return kind === "OTHER" ? ["PERSON", "COMPANY"] : ["COMPANY"];
}

/** Whether somebody looks by hand for all who have one word in their name. */
export function isByWord({ isSearch }: ScreenedParty, { tokens }: Name): boolean {
  return isSearch === true && tokens.filter(({ role }) => role === "WORD").length === 1 && tokens.length === 1;
}

/**
 * Whether a party says of itself that it is of the other kind: who pays
 * may choose what a recipient is.
 */
export function isOtherKind({ kind }: ScreenedParty, reading: NameKind): boolean {
  return kind !== "UNKNOWN" && kind !== reading;
}
