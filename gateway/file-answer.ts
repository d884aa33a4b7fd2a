import type { Readable } from "node:stream";

/** An answer that is a file instead of JSON. */
export class FileAnswer {
  readonly fileName: string;
  readonly content: Readable | Buffer;

  constructor(fileName: string, content: Readable | Buffer) {
    this.fileName = fileName;
    this.content = content;
  }
}
