import { createXmlFeed as createFeed, type XmlListener } from "../../../kernel/formats/xml-feed.js";
import { ListFault } from "./list-file.js";

export type { XmlListener };

/** Feeds XML of a list to a listener in pieces; throws ListFault where it is none. */
export const createXmlFeed = (listener: XmlListener, withLines = true) =>
  createFeed(listener, { fault: (reason, line) => new ListFault(reason, line), withLines });
