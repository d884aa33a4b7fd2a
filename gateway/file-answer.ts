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

/**
 * An answer that goes on as long as the client reads it; shown as it comes and saved as no file.
 */
export class LiveAnswer {
  readonly content: Readable;
  readonly contentType: string;

  constructor(content: Readable, contentType: string) {
    this.content = content;
    this.contentType = contentType;
  }
}
