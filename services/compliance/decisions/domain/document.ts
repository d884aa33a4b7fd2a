/** Kinds of documents that are taken, by what they are and not by what they are called. */
export type ContentType = "application/pdf" | "image/jpeg" | "image/png";

/** SUBMITTED waits for its review. */
export type DocumentState = "SUBMITTED" | "ACCEPTED" | "REJECTED";

/** A document that was handed in, without its bytes. */
export interface DocumentRecord {
  documentId: string;
  customerId: string;
  /** Kind of the requirement. */
  requirement: string;
  state: DocumentState;
  fileName: string;
  contentType: ContentType;
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
  submittedAt: Date;
  submittedBy: string;
  reviewedAt?: Date;
  reviewedBy?: string;
  reason: string;
}

export const maxDocumentBytes = 10 * 1024 * 1024;

const pngBegin = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const pngEnd = Buffer.from("IEND");

/** What the bytes are; undefined for everything else, and for a file that is cut off. */
export function contentTypeOf(bytes: Buffer): ContentType | undefined {
  const tail = bytes.subarray(-1_024);
  if (bytes.subarray(0, 5).toString("latin1") === "%PDF-") {
    return tail.includes("%%EOF") ? "application/pdf" : undefined;
  }
  if (bytes.subarray(0, 8).equals(pngBegin)) return tail.includes(pngEnd) ? "image/png" : undefined;
  const isJpeg = bytes.length > 4 && bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;
  if (!isJpeg) return undefined;
  return tail.includes(Buffer.from([0xff, 0xd9])) ? "image/jpeg" : undefined;
}
