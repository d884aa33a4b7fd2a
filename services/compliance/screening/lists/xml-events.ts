import { SaxesParser } from "saxes";
import { ListFault } from "./list-file.js";

/** What a reader of XML hears; it collects what is complete. */
export interface XmlListener {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
  text(text: string): void;
}

/**
 * Feeds XML to a listener in pieces; the returned `end` throws where the document is cut. A document type is refused: no list
 * has one, and entities can be made to grow.
 */
export function createXmlFeed(
  listener: XmlListener,
  withLines = true,
): { write(bytes: Uint8Array): void; end(): void } {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const parser = new SaxesParser({ position: withLines });
  const fault = (reason: string) => new ListFault(reason, withLines ? parser.line : 0);
  parser.on("error", (error) => {
    throw fault(`is no XML: ${error.message.replace(/^\d+:\d+: /, "")}`);
  });
  parser.on("doctype", () => {
    throw fault("has a document type, which no list has");
  });
  parser.on("opentag", ({ name, attributes }) => listener.open(name, attributes as Record<string, string>));
  parser.on("closetag", ({ name }) => listener.close(name));
  parser.on("text", (text) => listener.text(text));
  parser.on("cdata", (text) => listener.text(text));
  const decode = (bytes?: Uint8Array) => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw fault("has bytes that are no UTF-8");
    }
  };
  return {
    write: (bytes) => void parser.write(decode(bytes)),
    end() {
      parser.write(decode());
      parser.close();
    },
  };
}
