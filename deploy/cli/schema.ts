import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import type { MethodDefinition } from "@grpc/grpc-js";
import { loadSync, type PackageDefinition } from "@grpc/proto-loader";

export interface Field {
  name: string;
  /** A scalar's name ("int64"), or the full name of a message or enum. */
  type: string;
  kind: "scalar" | "message" | "enum";
  repeated: boolean;
  /** Of a map: the field that holds its values. Keys are strings in JSON. */
  mapValue?: Field;
}

export interface Message {
  name: string;
  fields: Field[];
}

export interface Rpc {
  /** "ledger.v1.LedgerService/GetAccount" */
  name: string;
  request: string;
  response: string;
  definition: MethodDefinition<object, object>;
}

/** What the .proto files say, looked up by full names such as "ledger.v1.Account". */
export interface Schema {
  rpcs: Map<string, Rpc>;
  messages: Map<string, Message>;
  /** Names of values, in their order. */
  enums: Map<string, string[]>;
}

// The parts of descriptor.proto that we read; proto-loader types them as object.
interface RawField {
  name: string;
  label: string;
  type: string;
  typeName: string;
}
interface RawMessage {
  name: string;
  field: RawField[];
  nestedType: (RawMessage & { options?: { mapEntry?: boolean } | null })[];
}
interface RawEnum {
  name: string;
  value: { name: string }[];
}

/** Reads every .proto file below `folder` (not what was generated from them). */
export function loadSchema(folder: string): Schema {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".proto"))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
  const loaded = loadSync(files, {
    includeDirs: [folder],
    longs: String,
    enums: String,
    bytes: String,
    defaults: true,
  });
  return schemaOf(loaded);
}

function schemaOf(loaded: PackageDefinition): Schema {
  const schema: Schema = { rpcs: new Map(), messages: new Map(), enums: new Map() };
  for (const [name, definition] of Object.entries(loaded)) {
    if (!("format" in definition)) {
      for (const [method, rpc] of Object.entries(definition)) {
        const types = {
          request: fullType(name, rpc.requestType.type),
          response: fullType(name, rpc.responseType.type),
        };
        schema.rpcs.set(`${name}/${method}`, { name: `${name}/${method}`, ...types, definition: rpc });
      }
    } else if (definition.format === "Protocol Buffer 3 EnumDescriptorProto") {
      const { value } = definition.type as RawEnum;
      schema.enums.set(
        name,
        value.map((one) => one.name),
      );
    } else {
      const raw = definition.type as RawMessage;
      schema.messages.set(name, { name, fields: raw.field.map((field) => fieldOf(field, name, raw, loaded)) });
    }
  }
  return schema;
}

/** Requests and responses stand in their service's package: a lint rule of ours. */
function fullType(serviceName: string, raw: object): string {
  return `${packageOf(serviceName)}.${(raw as RawMessage).name}`;
}

function packageOf(name: string): string {
  return name.slice(0, name.lastIndexOf("."));
}

function fieldOf(raw: RawField, messageName: string, message: RawMessage, loaded: PackageDefinition): Field {
  const entry = message.nestedType.find((nested) => nested.name === raw.typeName && nested.options?.mapEntry);
  const value = entry?.field.find((field) => field.name === "value");
  const base = { name: raw.name, repeated: raw.label === "LABEL_REPEATED" };
  if (entry && value) {
    const mapValue = fieldOf(value, messageName, entry, loaded);
    return { ...base, repeated: false, type: "map", kind: "scalar", mapValue };
  }
  if (raw.typeName === "") return { ...base, kind: "scalar", type: raw.type.slice("TYPE_".length).toLowerCase() };
  const type = resolveType(raw.typeName.replace(/^\./, ""), messageName, loaded);
  return { ...base, type, kind: raw.type === "TYPE_ENUM" ? "enum" : "message" };
}

/** Names in a descriptor are as they stand in the file: looked up from the inside out. */
function resolveType(typeName: string, from: string, loaded: PackageDefinition): string {
  for (let scope = from; scope !== ""; scope = scope.includes(".") ? packageOf(scope) : "") {
    if (`${scope}.${typeName}` in loaded) return `${scope}.${typeName}`;
  }
  return typeName;
}

/** Full names that `text` may mean: itself, or whatever ends with it at a "." or "/". */
export function matches(names: Iterable<string>, text: string): string[] {
  const all = [...names];
  if (all.includes(text)) return [text];
  return all.filter((name) => name.endsWith(`.${text}`) || name.endsWith(`/${text}`));
}
