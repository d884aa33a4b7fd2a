/** As the API takes and gives a file: parts of so many bytes, in base64. */
export const partBytes = 131_072;

interface Part {
  uploadKey: string;
  offset: number;
  content: string;
}

/** Sends a file part by part, and says under which key it lies and what its digest is. */
export async function uploadInParts(
  file: File,
  send: (part: Part) => PromiseLike<unknown>,
  tell: (share: number) => void = () => undefined,
): Promise<{ uploadKey: string; sha256: string }> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const uploadKey = crypto.randomUUID();
  for (let offset = 0; offset < bytes.length; offset += partBytes) {
    tell(offset / bytes.length);
    await send({ uploadKey, offset, content: toBase64(bytes.subarray(offset, offset + partBytes)) });
  }
  tell(1);
  return { uploadKey, sha256: await digestOf(bytes) };
}

interface ReadPart {
  content: string;
  nextOffset?: number;
}

/** All bytes of a file that is read part by part. */
export async function readWhole(
  readPart: (offset: string | undefined) => PromiseLike<ReadPart>,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  for (let offset: string | undefined, isFirst = true; isFirst || offset !== undefined; isFirst = false) {
    const { content, nextOffset } = await readPart(offset);
    parts.push(fromBase64(content));
    offset = nextOffset === undefined ? undefined : String(nextOffset);
  }
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// A call takes so many arguments at most.
const chunk = 8_192;

/** Bytes as the API takes them. */
export function toBase64(bytes: Uint8Array): string {
  let letters = "";
  for (let at = 0; at < bytes.length; at += chunk) letters += String.fromCharCode(...bytes.subarray(at, at + chunk));
  return btoa(letters);
}

export const fromBase64 = (content: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));

/** "1.2 MB" */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
