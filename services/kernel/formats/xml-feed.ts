import { SaxesParser } from "saxes";
import { createXmlBounds } from "./xml-bounds.js";

/** What a reader of XML hears; it collects what is complete. */
export interface XmlListener {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
  text(text: string): void;
}

export interface XmlFeedOptions {
  /** What is thrown for what is no XML; the line is 0 where lines are not counted. */
  fault: (reason: string, line: number) => Error;
  withLines?: boolean;
}

/**
 * Feeds XML to a listener in pieces; the returned `end` throws where the document is cut. A
 * document type is refused: nothing that we read has one, and entities can be made to grow. What is
 * too large for a parser is refused before it comes there.
 */
export function createXmlFeed(
  listener: XmlListener,
  { fault, withLines = true }: XmlFeedOptions,
): { write(bytes: Uint8Array): void; end(): void } {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const bounds = createXmlBounds((reason) => found(reason));
  const parser = new SaxesParser({ position: withLines });
  const found = (reason: string) => fault(reason, withLines ? parser.line : 0);
  parser.on("error", (error) => {
    throw found(`is no XML: ${error.message.replace(/^\d+:\d+: /, "")}`);
  });
  parser.on("doctype", () => {
    throw found("has a document type, which is not read");
  });
  parser.on("opentag", ({ name, attributes }) => listener.open(name, attributes as Record<string, string>));
  parser.on("closetag", ({ name }) => listener.close(name));
  parser.on("text", (text) => listener.text(text));
  parser.on("cdata", (text) => listener.text(text));
  const decode = (bytes?: Uint8Array) => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw found("has bytes that are no UTF-8");
    }
  };
  return {
    write(bytes) {
      bounds.check(bytes);
      parser.write(decode(bytes));
    },
    end() {
      parser.write(decode());
      parser.close();
    },
  };
}
