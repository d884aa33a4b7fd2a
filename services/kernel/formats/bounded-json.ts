export interface JsonBounds {
  bytes: number;
  /** Nesting of arrays and objects. */
  depth: number;
}

/**
 * Of what a partner or a tenant hands in: the contracts nest a few levels, and a page of a
 * statement has some megabytes at most.
 */
export const partnerJsonBounds: JsonBounds = { bytes: 8_388_608, depth: 32 };

/** Why a text is not read as JSON, in a few words; it is never quoted. */
export class JsonFault extends Error {
  override readonly name = "JsonFault";
}

/**
 * JSON that somebody else wrote. Throws JsonFault for what is larger or deeper than
 * the bounds, no UTF-8 or no JSON.
 */
export function boundedJson(content: string | Uint8Array, bounds: JsonBounds = partnerJsonBounds): unknown {
  const bytes = typeof content === "string" ? Buffer.byteLength(content) : content.length;
  if (bytes > bounds.bytes) throw new JsonFault(`is JSON of more than ${bounds.bytes} bytes`);
  try {
    const text = typeof content === "string" ? content : new TextDecoder("utf-8", { fatal: true }).decode(content);
    assertDepth(text, bounds.depth);
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw error instanceof JsonFault ? error : new JsonFault("is no JSON");
  }
}

/** The same of an answer that is still to come. */
export async function boundedJsonOf(response: Response, bounds: JsonBounds = partnerJsonBounds): Promise<unknown> {
  return boundedJson(await boundedBytesOf(response, bounds.bytes), bounds);
}

/** All of an answer. Throws JsonFault above the bound, and keeps nothing of it. */
export async function boundedBytesOf({ body }: Response, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > most) throw new JsonFault(`is an answer of more than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

// Before it is parsed: what walks a value afterwards goes as deep as it does.
function assertDepth(text: string, most: number): void {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at);
    if (isText) {
      if (letter === backslash) at++;
      else if (letter === quote) isText = false;
    } else if (letter === quote) isText = true;
    else if (letter === brace || letter === bracket) {
      if (++depth > most) throw new JsonFault(`is JSON nested deeper than ${most} levels`);
    } else if (letter === braceEnd || letter === bracketEnd) depth--;
  }
}

const [quote, backslash, brace, braceEnd, bracket, bracketEnd] = [...Buffer.from('"\\{}[]')] as [
  number,
  number,
  number,
  number,
  number,
  number,
];
