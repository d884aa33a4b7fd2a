import { SaxesParser, type SaxesTagNS } from "saxes";
import { createTurns } from "../../../kernel/time/turns.js";
import { createXmlBounds } from "../../../kernel/formats/xml-bounds.js";

/** Why a file of a bank cannot be read, in one sentence. */
export class FileFault extends Error {}

/** Why a file could not be read this time; another try may, and the third is its last. */
export class TriesFault extends Error {}

/** An element with all that is in it. */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  text: string;
  children: XmlElement[];
}

type Content = readonly (string | undefined)[] | string;

/** An element as text; `content` is elements, absent ones among them. */
export function element(name: string, content: Content, attributes: Readonly<Record<string, string>> = {}): string {
  const attributed = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  const inner = typeof content === "string" ? content : content.filter((one) => one !== undefined).join("");
  return `<${name}${attributed.join("")}>${inner}</${name}>`;
}

/** An element that holds text; none where there is no text. */
export function textElement(
  name: string,
  text: string | undefined,
  attributes: Readonly<Record<string, string>> = {},
): string | undefined {
  return text === undefined || text === "" ? undefined : element(name, escaped(text), attributes);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

// A file of many entries leaves other requests their turn: of each it takes up to 10 ms.
const pieceLength = 32_768;
const checkedAtOnce = 262_144;
const bounds = { attributes: 32, tagBytes: 8_192, depth: 64, textBytes: 65_536 };

/**
 * Throws FileFault where a document has more than a parser should read: attributes,
 * depth, tags and texts without end.
 */
export async function assertWithinBounds(bytes: Uint8Array): Promise<void> {
  const { check } = createXmlBounds((reason) => new FileFault(reason), bounds);
  const turns = createTurns("bank file bounds", checkedAtOnce);
  for (let start = 0; start < bytes.length; start += checkedAtOnce) {
    check(bytes.subarray(start, start + checkedAtOnce));
    await turns.spent(checkedAtOnce);
  }
  turns.end();
}

/**
 * The namespace of a document's root. Throws FileFault where it has a
 * document type, or is no XML so far.
 */
export function namespaceOf(text: string): string {
  let namespace: string | undefined;
  const parser = strictParser();
  parser.on("opentag", ({ uri }) => (namespace ??= uri));
  // Nothing but its declaration and a comment stands before the root of a bank's file: more than a
  // piece of that is not looked through.
  parser.write(text.slice(0, pieceLength));
  if (namespace === undefined) throw new FileFault(`has no element in its first ${pieceLength} characters`);
  return namespace;
}

/**
 * Gives each element whose path is wanted (local names below the root, such as "Stmt/Ntry") when it
 * is complete, in the document's order. Throws FileFault where the document is cut.
 */
export async function readElements(
  text: string,
  wanted: ReadonlySet<string>,
  take: (path: string, found: XmlElement) => void,
): Promise<void> {
  const parser = strictParser();
  const path: string[] = [];
  const open: XmlElement[] = [];
  parser.on("opentag", (tag) => {
    path.push(tag.local);
    if (open.length === 0 && !wanted.has(path.slice(1).join("/"))) return;
    const opened = elementOf(tag);
    open.at(-1)?.children.push(opened);
    open.push(opened);
  });
  const addText = (part: string) => {
    const last = open.at(-1);
    if (last !== undefined) last.text += part;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    const closed = open.pop();
    if (closed !== undefined && open.length === 0) take(path.slice(1).join("/"), closed);
    path.pop();
  });
  const turns = createTurns("bank file", pieceLength);
  for (let start = 0; start < text.length; start += pieceLength) {
    parser.write(text.slice(start, start + pieceLength));
    await turns.spent(pieceLength);
  }
  turns.end();
  parser.close();
}

/** Elements by their path below this one. */
export function all(within: XmlElement | undefined, path: string): XmlElement[] {
  return path
    .split("/")
    .reduce(
      (some, name) => some.flatMap(({ children }) => children.filter((child) => child.name === name)),
      within === undefined ? [] : [within],
    );
}

export function first(within: XmlElement | undefined, path: string): XmlElement | undefined {
  return all(within, path)[0];
}

/** Text of the first element of the path; empty where there is none. */
export function textAt(within: XmlElement | undefined, path: string): string {
  return first(within, path)?.text.trim() ?? "";
}

function elementOf({ local, attributes }: SaxesTagNS): XmlElement {
  const plain = Object.fromEntries(Object.values(attributes).map((one) => [one.local, one.value]));
  return { name: local, attributes: plain, text: "", children: [] };
}

/** Entities can be made to grow, and only a document type can declare any. */
function strictParser(): SaxesParser<{ xmlns: true; position: true }> {
  const parser = new SaxesParser({ xmlns: true, position: true });
  parser.on("error", ({ message }) => {
    throw new FileFault(`is no XML: line ${message.replace(/^(\d+):\d+: /, "$1: ")}`);
  });
  parser.on("doctype", () => {
    throw new FileFault("has a document type, which may declare entities");
  });
  return parser;
}
