import type { Readable } from "node:stream";

/** An answer that is a file instead of JSON. */
export class FileAnswer {
  readonly fileName: string;
  readonly content: Readable | Buffer;
  /** Where the operation answers JSON too. */
  readonly contentType?: string;

  constructor(fileName: string, content: Readable | Buffer, contentType?: string) {
    this.fileName = fileName;
    this.content = content;
    if (contentType !== undefined) this.contentType = contentType;
  }
}
