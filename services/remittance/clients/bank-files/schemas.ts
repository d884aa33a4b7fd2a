import { readFileSync } from "node:fs";
import { join } from "node:path";
import { validateXML } from "xmllint-wasm";
import { FileFault } from "./xml.js";

/** Where the schemas are, from the project's folder. */
const schemaFolder = join("services", "remittance", "clients", "bank-files", "xsd");

/** Of documents by their namespace: what is written, and what is read. */
export const documentKinds = ["pain.001.001.09", "pain.002.001.03", "pain.002.001.10", "camt.053.001.08"] as const;
export type DocumentKind = (typeof documentKinds)[number];

const prefix = "urn:iso:std:iso:20022:tech:xsd:";
// Of 64 KiB: what a statement of the largest size takes, twice.
const maxMemoryPages = 4_096;
const maxFaultLength = 200;

export function documentKindOf(namespace: string): DocumentKind | undefined {
  return documentKinds.find((kind) => namespace === `${prefix}${kind}`);
}

export type ValidateDocument = (kind: DocumentKind, text: string) => Promise<void>;

/**
 * Validates documents by libxml2, in a thread and memory of its own. Throws FileFault with the first thing
 * that is wrong.
 */
export function createSchemaValidation(folder = schemaFolder): ValidateDocument {
  const schemas = new Map<DocumentKind, string>();
  return async (kind, text) => {
    const schema = schemas.get(kind) ?? readFileSync(join(folder, `${kind}.xsd`), "utf8");
    schemas.set(kind, schema);
    const result = await validateXML({
      xml: [{ fileName: "document.xml", contents: text }],
      schema: [{ fileName: "schema.xsd", contents: schema }],
      stream: true,
      maxMemoryPages,
    }).catch((error: unknown) => {
      // Anything else, such as no memory, says nothing of the document.
      if (!String((error as Error).message).includes("failed to parse")) throw error;
      throw new FileFault("is no XML: it is cut, or not well-formed");
    });
    const [fault] = result.errors;
    if (!result.valid) throw new FileFault(`is not valid by ${kind}.xsd: ${faultOf(fault)}`);
  };
}

/** Values of the document may be personal data: only the element's name and what is asked of it are told. */
function faultOf(fault: { message: string; loc: { lineNumber: number } | null } | undefined): string {
  const line = fault?.loc?.lineNumber === undefined ? "" : `line ${fault.loc.lineNumber}: `;
  const plain = (fault?.message ?? "nobody says why")
    .replaceAll(/\{[^}]*\}/g, "")
    .replace(/^Schemas validity error : /, "")
    .replace(/: \[facet '(\w+)'\].*$/, ": against its $1")
    .replace(/: '[^']*' is not a valid value/, ": no valid value");
  return `${line}${plain}`.slice(0, maxFaultLength);
}
