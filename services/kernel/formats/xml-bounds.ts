/** What a document may have at most, each in bytes or in number. */
export interface XmlBounds {
  /** Of one element. */
  attributes: number;
  /** Of one start tag, instruction or comment. */
  tagBytes: number;
  depth: number;
  /** Between two tags. */
  textBytes: number;
}

/**
 * What every document that we read stays far below: the UK's spreadsheet
 * has 38 attributes in its root.
 */
export const defaultXmlBounds: XmlBounds = { attributes: 128, tagBytes: 16_384, depth: 64, textBytes: 1_000_000 };

const [lt, gt, quote, apostrophe, equals, slash, mark, question, dash, bracket] = [...Buffer.from(`<>"'=/!?-]`)] as [
  number,
  ...number[],
];

type Place = "text" | "open" | "declaration" | "tag" | "value" | "comment" | "cdata" | "instruction";

/**
 * Holds XML against bounds before a parser reads it, in pieces and in time that grows with their
 * bytes alone: parsers take the square of an element's attributes, or all memory. Throws `fault`
 * with the first thing that is too large; whether it is XML is the parser's to say.
 */
export function createXmlBounds(fault: (reason: string) => Error, bounds: XmlBounds = defaultXmlBounds) {
  let place: Place = "text";
  let [length, attributes, depth] = [0, 0, 0];
  let [last, before, ends] = [0, 0, 0];
  let isClosing = false;
  let declared = "";

  /** Counts bytes of what is open now. */
  const grow = (bytes: number) => {
    length += bytes;
    const isText = place === "text" || place === "cdata" || place === "comment";
    if (length <= (isText ? bounds.textBytes : bounds.tagBytes)) return;
    throw fault(
      isText ? `has a text of more than ${bounds.textBytes} bytes` : `has a tag of more than ${bounds.tagBytes} bytes`,
    );
  };
  const enter = (next: Place) => {
    place = next;
    length = 0;
    last = before = 0;
  };
  const endTag = () => {
    if (isClosing) depth -= 1;
    else if (last !== slash) depth += 1;
    if (depth > bounds.depth) throw fault(`is nested deeper than ${bounds.depth} elements`);
    enter("text");
  };
  const declare = (byte: number) => {
    declared += String.fromCharCode(byte);
    if (declared === "--") enter("comment");
    else if (declared === "[CDATA[") enter("cdata");
    // A document type: the parser refuses it as soon as it is open.
    else if (!"--".startsWith(declared) && !"[CDATA[".startsWith(declared)) enter("instruction");
  };
  const step = (byte: number) => {
    switch (place) {
      case "open":
        isClosing = byte === slash;
        attributes = 0;
        if (byte === mark) [place, declared] = ["declaration", ""];
        else enter(byte === question ? "instruction" : "tag");
        return;
      case "declaration":
        return declare(byte);
      case "tag":
        grow(1);
        if (byte === gt) return endTag();
        if (byte === quote || byte === apostrophe) [place, ends] = ["value", byte];
        else if (byte === equals && (attributes += 1) > bounds.attributes)
          throw fault(`has an element of more than ${bounds.attributes} attributes`);
        last = byte;
        return;
      default: {
        grow(1);
        const closes = place === "comment" ? dash : place === "cdata" ? bracket : question;
        const isOver = byte === gt && last === closes && (place === "instruction" || before === closes);
        if (isOver) return enter("text");
        [before, last] = [last, byte];
      }
    }
  };

  return {
    /** The next bytes of the document. */
    check(bytes: Uint8Array): void {
      for (let at = 0; at < bytes.length; at++) {
        if (place !== "text" && place !== "value") {
          step(bytes[at]!);
          continue;
        }
        const found = bytes.indexOf(place === "text" ? lt : ends, at);
        grow((found === -1 ? bytes.length : found) - at);
        if (found === -1) return;
        at = found;
        if (place === "text") enter("open");
        else place = "tag";
      }
    },
  };
}
