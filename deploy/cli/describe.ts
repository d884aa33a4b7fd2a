import { matches, type Field, type Schema } from "./schema.js";

/** One line per rpc; `filter` keeps those whose name contains it. */
export function listRpcs(schema: Schema, filter = ""): string {
  return [...schema.rpcs.keys()].filter((name) => name.toLowerCase().includes(filter.toLowerCase())).join("\n");
}

/**
 * A service, rpc, message or enum as it may be written in JSON, or undefined when nothing has that
 * name.
 */
export function describe(schema: Schema, text: string): string | undefined {
  const services = new Set([...schema.rpcs.keys()].map((name) => name.slice(0, name.indexOf("/"))));
  const names = [...services, ...schema.rpcs.keys(), ...schema.messages.keys(), ...schema.enums.keys()];
  const found = matches(names, text);
  if (found.length === 0) return undefined;
  return found.map((name) => describeOne(schema, name)).join("\n\n");
}

function describeOne(schema: Schema, name: string): string {
  const rpc = schema.rpcs.get(name);
  if (rpc) return `rpc ${name}\n\n${describeOne(schema, rpc.request)}\n\n${describeOne(schema, rpc.response)}`;
  const message = schema.messages.get(name);
  if (message) return [`message ${name} {`, ...message.fields.map((field) => `  ${fieldLine(field)}`), "}"].join("\n");
  const values = schema.enums.get(name);
  if (values) return [`enum ${name} {`, ...values.map((value) => `  ${value}`), "}"].join("\n");
  const rpcs = [...schema.rpcs.values()].filter((one) => one.name.startsWith(`${name}/`));
  const lines = rpcs.map((one) => `  ${one.name.slice(name.length + 1)}(${one.request}) returns (${one.response})`);
  return [`service ${name} {`, ...lines, "}"].join("\n");
}

function fieldLine(field: Field): string {
  if (field.mapValue) return `${field.name}: map of ${field.mapValue.type}`;
  return `${field.name}: ${field.repeated ? "list of " : ""}${field.type}`;
}
