import { promisify } from "node:util";
import { constants, inflate } from "node:zlib";
import { createTurns, type Turns } from "../../../kernel/time/turns.js";
import type { ContentType } from "../domain/document.js";

const inflated = promisify<Buffer, object, Buffer>(inflate);

// Long enough to come by no chance within packed bytes.
const longNames = /\/(?:JavaScript|Launch|EmbeddedFiles?|RichMedia|ImportData|GoToE)(?![^\s/()<>[\]{}%])/;
const encrypted = /\/Encrypt(?![^\s/()<>[\]{}%])/;
const scripts = /\/JS(?=[\s/(<[\d])/;
const stepBytes = 256 * 1_024;
const overlapBytes = 256;
const dictionaryBytes = 2_048;
const mostObjectStreams = 2_000;
const mostInflatedBytes = 64 * 1_024 * 1_024;

interface Part {
  /** Written as it is: objects, and not what is packed. */
  isPlain: boolean;
  bytes: Buffer;
  /** What stands before it, where it is packed. */
  dictionary: string;
}

/**
 * Why a document is not taken: what it does when it is opened beyond being shown (scripts, programs
 * or files within it), or that nobody can look into it. Undefined where a bounded look finds none.
 */
export async function activeContentOf(bytes: Buffer, contentType: ContentType): Promise<string | undefined> {
  if (contentType !== "application/pdf") return undefined;
  const turns = createTurns("documents", 4 * stepBytes);
  let [streams, size] = [0, 0];
  let isUnread = false;
  try {
    for (const part of partsOf(bytes)) {
      const found = await nameIn(part, turns);
      if (found !== undefined) return found;
      if (part.isPlain || !/\/ObjStm(?![A-Za-z])/.test(part.dictionary)) continue;
      const objects = isFlate(part) ? await unpacked(part) : isPacked(part) ? undefined : part.bytes;
      streams += 1;
      size += objects?.length ?? 0;
      if (streams > mostObjectStreams || size > mostInflatedBytes) return "the PDF is packed too much to be looked at";
      // An encrypted one says so behind them.
      isUnread ||= objects === undefined;
      if (objects === undefined) continue;
      const within = await nameIn({ isPlain: true, bytes: objects, dictionary: "" }, turns);
      if (within !== undefined) return within;
    }
    return isUnread ? "the PDF has parts that cannot be looked at" : undefined;
  } finally {
    turns.end();
  }
}

function* partsOf(bytes: Buffer): Generator<Part> {
  let from = 0;
  for (let at = bytes.indexOf("stream"); at !== -1; at = bytes.indexOf("stream", at + 6)) {
    const next = bytes[at + 6];
    if (next !== 0x0a && next !== 0x0d) continue;
    yield { isPlain: true, bytes: bytes.subarray(from, at), dictionary: "" };
    const start = at + (next === 0x0d && bytes[at + 7] === 0x0a ? 8 : 7);
    const end = bytes.indexOf("endstream", start);
    const before = bytes.subarray(Math.max(from, at - dictionaryBytes), at).toString("latin1");
    const dictionary = withoutEscapes(before.slice(before.lastIndexOf(" obj") + 1));
    from = end === -1 ? bytes.length : end + "endstream".length;
    yield { isPlain: false, bytes: bytes.subarray(start, end === -1 ? bytes.length : end), dictionary };
    at = from - 6;
  }
  yield { isPlain: true, bytes: bytes.subarray(from), dictionary: "" };
}

async function nameIn({ isPlain, bytes }: Part, turns: Turns): Promise<string | undefined> {
  for (let from = 0; from < bytes.length; from += stepBytes) {
    const some = bytes.subarray(from, from + stepBytes + overlapBytes);
    const text = withoutEscapes(some.toString("latin1"));
    const [name] = longNames.exec(text) ?? (isPlain ? scripts.exec(text) : null) ?? [];
    if (name !== undefined) return `the PDF has ${name}`;
    if (isPlain && encrypted.test(text))
      return "the PDF is encrypted and cannot be looked at: save it without a password";
    await turns.spent(some.length);
  }
  return undefined;
}

/** A name may have any of its letters as #xx. */
function withoutEscapes(text: string): string {
  return text.replaceAll(/#([\dA-Fa-f]{2})/g, (_all, code: string) => String.fromCharCode(parseInt(code, 16)));
}

const isPacked = ({ dictionary }: Part): boolean => dictionary.includes("/Filter");
const isFlate = ({ dictionary }: Part): boolean =>
  /\/Filter\s*(?:\[\s*\/(?:FlateDecode|Fl)\s*\]|\/(?:FlateDecode|Fl)(?![A-Za-z\d]))/.test(dictionary);

/** Objects that are packed together; undefined where they are broken. */
function unpacked({ bytes }: Part): Promise<Buffer | undefined> {
  const whole = { maxOutputLength: mostInflatedBytes, finishFlush: constants.Z_SYNC_FLUSH };
  return inflated(bytes, whole).catch(() => undefined);
}
