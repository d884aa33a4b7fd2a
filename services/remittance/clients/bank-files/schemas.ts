import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { XMLLintOptions, XMLValidationResult } from "xmllint-wasm";
import { FileFault, TriesFault } from "./xml.js";

/** Where the schemas are, from the project's folder. */
const schemaFolder = join("services", "remittance", "clients", "bank-files", "xsd");

/** Of documents by their namespace: what is written, and what is read. */
export const documentKinds = ["pain.001.001.09", "pain.002.001.03", "pain.002.001.10", "camt.053.001.08"] as const;
export type DocumentKind = (typeof documentKinds)[number];

const prefix = "urn:iso:std:iso:20022:tech:xsd:";
// Of 64 KiB: what a statement of the largest size takes, twice.
const maxMemoryPages = 4_096;
const maxFaultLength = 200;
const defaultLimitMs = 20_000;

export function documentKindOf(namespace: string): DocumentKind | undefined {
  return documentKinds.find((kind) => namespace === `${prefix}${kind}`);
}

export type ValidateDocument = (kind: DocumentKind, text: string) => Promise<void>;

/**
 * Validates documents by libxml2, in a thread and memory of its own. Throws FileFault with the
 * first thing that is wrong, TriesFault where it takes longer than may be.
 */
export function createSchemaValidation(folder = schemaFolder, limitMs = defaultLimitMs): ValidateDocument {
  const schemas = new Map<DocumentKind, string>();
  return async (kind, text) => {
    const schema = schemas.get(kind) ?? readFileSync(join(folder, `${kind}.xsd`), "utf8");
    schemas.set(kind, schema);
    const requested = {
      xml: [{ fileName: "document.xml", contents: text }],
      schema: [{ fileName: "schema.xsd", contents: schema }],
      stream: true,
      maxMemoryPages,
    } as const;
    const result = await validated(requested, limitMs).catch((error: unknown) => {
      if (error instanceof TriesFault) throw error;
      const message = error instanceof Error ? error.message : String(error);
      if (message.includes("failed to parse")) throw new FileFault("is no XML: it is cut, or not well-formed");
      // Such as no memory, which another try may have.
      throw new TriesFault("cannot be validated: the validator has ended");
    });
    const [fault] = result.errors;
    if (!result.valid) throw new FileFault(`is not valid by ${kind}.xsd: ${faultOf(fault)}`);
  };
}

// The validator has a thread that nobody can end from outside, so it runs in one that can.
const inThread = `
const { parentPort, workerData } = require("node:worker_threads");
require("xmllint-wasm").validateXML(workerData).then(
  (result) => parentPort.postMessage({ result }),
  (error) => parentPort.postMessage({ message: String(error && error.message) }),
);`;

async function validated(requested: XMLLintOptions, limitMs: number): Promise<XMLValidationResult> {
  const worker = new Worker(inThread, { eval: true, workerData: requested });
  const { promise, resolve, reject } = Promise.withResolvers<XMLValidationResult>();
  const limit = setTimeout(() => reject(new TriesFault(`takes longer than ${limitMs} ms to be validated`)), limitMs);
  worker.on("message", ({ result, message }: { result?: XMLValidationResult; message?: string }) =>
    result === undefined ? reject(new Error(message)) : resolve(result),
  );
  worker.on("error", reject);
  try {
    return await promise;
  } finally {
    clearTimeout(limit);
    await worker.terminate();
  }
}

/**
 * Values of the document may be personal data: only the element's name
 * and what is asked of it are told.
 */
function faultOf(fault: { message: string; loc: { lineNumber: number } | null } | undefined): string {
  const line = fault?.loc?.lineNumber === undefined ? "" : `line ${fault.loc.lineNumber}: `;
  const plain = (fault?.message ?? "nobody says why")
    .replaceAll(/\{[^}]*\}/g, "")
    .replace(/^Schemas validity error : /, "")
    .replace(/: \[facet '(\w+)'\].*$/, ": against its $1")
    .replace(/: '[^']*' is not a valid value/, ": no valid value");
  return `${line}${plain}`.slice(0, maxFaultLength);
}
