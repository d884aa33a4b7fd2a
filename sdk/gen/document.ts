import { readFileSync } from "node:fs";
import { plainNames } from "./names.js";

export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  pattern?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: Schema | boolean;
  examples?: unknown;
  example?: unknown;
  "x-type"?: "Decimal" | "Amount";
  "x-open"?: true;
}

export interface Parameter {
  in: "header" | "path" | "query";
  name: string;
  required?: boolean;
  schema: Schema;
}

type Contents = Record<string, { schema: Schema; example?: unknown }>;

export interface DocumentOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, unknown>[];
  servers?: { url: string }[];
  parameters: Parameter[];
  requestBody?: { required?: boolean; content: Contents };
  responses: Record<string, { description: string; headers?: unknown; links?: unknown; content?: Contents }>;
}

/** What is said of an operation in the gateway, beside the document. */
export interface OperationFlags {
  /** Its method, where the rule would name it badly. */
  name?: string;
  /** The variable of its answer in snippets, where its own noun is no good one. */
  answer?: string;
  /** Its key is optional, and kept. */
  isKeyed?: true;
  /**
   * A code, a password or a link is used up: sent again it would be refused though it took effect.
   */
  isUsedUp?: true;
  /** It is about an interaction: its id is an argument. */
  isOfInteraction?: true;
  /** A short way to it from the group of the sandbox. */
  inSandbox?: { name: string; fixed?: Readonly<Record<string, string>> };
}

export interface Flags {
  /** By operation id. */
  operations: Readonly<Record<string, OperationFlags>>;
  /** What is taken off operation ids of a tag, since the group says it. */
  nouns: Readonly<Record<string, string>>;
}

export interface Document {
  flags: Flags;
  paths: Record<string, Record<string, DocumentOperation>>;
  webhooks: Record<string, { post: DocumentOperation }>;
  components: { schemas: Record<string, Schema>; headers?: unknown; responses?: unknown; securitySchemes?: unknown };
}

export function readDocument(file: string, flags: Flags): Document {
  return { ...(JSON.parse(readFileSync(file, "utf8")) as Document), flags };
}

export function flagsOf({ flags }: Document, { operationId }: DocumentOperation): OperationFlags {
  return flags.operations[operationId] ?? {};
}

export interface Listed {
  path: string;
  method: string;
  operation: DocumentOperation;
}

/** Every operation once: other paths of the same one are left out. */
export function operationsOf(document: Document): Listed[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { operationId }]) => !/Alias\d+$/.test(operationId))
      .map(([method, operation]) => ({ path, method, operation })),
  );
}

/**
 * Calls back with each schema in it, by the name of the member that it
 * is of, and follows no reference.
 */
export function eachSchema(schema: Schema, visit: (schema: Schema, member: string) => void, member = ""): void {
  visit(schema, member);
  for (const [name, inner] of Object.entries(schema.properties ?? {})) eachSchema(inner, visit, name);
  for (const inner of [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => list ?? []))
    eachSchema(inner, visit, member);
  if (schema.items) eachSchema(schema.items, visit, member);
  if (typeof schema.additionalProperties === "object") eachSchema(schema.additionalProperties, visit, member);
}

export function refName(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

/** The schemas themselves and all that they refer to. */
export function reachable(document: Document, roots: readonly Schema[]): Set<Schema> {
  const found = new Set<Schema>();
  const follow = (root: Schema): void =>
    eachSchema(root, (schema) => {
      if (found.has(schema)) return;
      found.add(schema);
      if (schema.$ref !== undefined) follow(resolved(document, schema));
    });
  roots.forEach(follow);
  return found;
}

export function resolved(document: Document, schema: Schema): Schema {
  let at = schema;
  while (at.$ref !== undefined) {
    const next = document.components.schemas[refName(at.$ref)];
    if (next === undefined) throw new Error(`${at.$ref} is not in the document`);
    at = next;
  }
  return at;
}

export function answersOf({ responses }: DocumentOperation): Schema[] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([, { content }]) => Object.values(content ?? {}).map(({ schema }) => schema));
}

export function bodyOf({ requestBody }: DocumentOperation): Schema | undefined {
  return requestBody?.content["application/json"]?.schema;
}

/** True for a JSON number that may have decimals. */
export function isNumber({ type, const: constant }: Schema): boolean {
  return type === "number" && constant === undefined;
}

/** Throws where a plain name is taken, so that nothing on the wire could be meant by it twice. */
export function checkPlainNames(schemas: Iterable<Schema>): void {
  for (const { properties = {} } of schemas) {
    for (const [odd, plain] of Object.entries(plainNames)) {
      if (odd in properties && plain in properties) throw new Error(`${plain} is taken beside ${odd}`);
    }
  }
}
