import type { ListEntry } from "../domain/list-entry.js";

/** Which of a list's files one is; empty where the list is one file. OFAC publishes four. */
export const listParts = ["", "SDN", "ALT", "ADD", "COMMENTS"] as const;
export type ListPart = (typeof listParts)[number];

/** A published file, read once. */
export interface ListFile {
  part: ListPart;
  stream: AsyncIterable<Uint8Array>;
}

/** What a list's files say. Entries come once, in the order of their first line. */
export interface ParsedList {
  entries: AsyncIterable<ListEntry>;
  /** When the source published it, as the file says; known once the entries are read. */
  publishedAt(): Date | undefined;
  /**
   * Rows that could not be read and whose list stands without them;
   * known once the entries are read.
   */
  setAside?(): readonly SetAside[];
}

/** A row that nothing was read of. */
export interface SetAside {
  part: ListPart;
  line: number;
  /** Its beginning. */
  text: string;
}

/** Why a file is no list: the whole load ends with it. */
export class ListFault extends Error {
  override readonly name = "ListFault";
  /** In one sentence, for people. */
  readonly reason: string;
  /** Of the file (of a spreadsheet: its row), 1 the first; 0 where the reason lies at none. */
  readonly line: number;
  readonly part: ListPart;

  constructor(reason: string, line = 0, part: ListPart = "") {
    const at = [part, line > 0 ? `line ${line}` : ""].filter((text) => text !== "").join(" ");
    super(at === "" ? reason : `${at}: ${reason}`);
    this.reason = reason;
    this.line = line;
    this.part = part;
  }
}

/** A line of a table, as text. */
export interface Row {
  line: number;
  cells: readonly string[];
}
