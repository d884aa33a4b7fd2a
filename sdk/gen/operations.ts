import {
  answersOf,
  bodyOf,
  eachSchema,
  flagsOf,
  isNumber,
  operationsOf,
  resolved,
  type Document,
  type DocumentOperation,
  type Listed,
} from "./document.js";
import { plainNames } from "./names.js";
import type { Operation } from "../src/operation.js";

export interface Method {
  name: string;
  listed: Listed;
  row: Operation;
  sandboxHelper?: boolean;
}

/** Methods by group, in the order of the document. Throws where two would have one name. */
export function groupsOf(document: Document): Map<string, Method[]> {
  const groups = new Map<string, Method[]>();
  const all = operationsOf(document);
  for (const listed of all) {
    const group = groupName(listed.operation.tags[0]!);
    add(groups, group, { name: methodName(document, listed.operation), listed, row: rowOf(document, listed) });
  }
  const helpers = all.flatMap((listed) => {
    const { inSandbox } = flagsOf(document, listed.operation);
    return inSandbox === undefined ? [] : [{ listed, ...inSandbox }];
  });
  // Those that say a member for the caller come first.
  for (const { listed, name, fixed } of helpers.toSorted((one, other) => Number(!one.fixed) - Number(!other.fixed))) {
    const row: Operation = { ...rowOf(document, listed), sandbox: true, ...(fixed && { fixed }) };
    add(groups, "sandbox", { name, listed, row, sandboxHelper: true });
  }
  return groups;
}

function add(groups: Map<string, Method[]>, group: string, method: Method): void {
  const methods = groups.get(group) ?? [];
  if (methods.some(({ name }) => name === method.name))
    throw new Error(`${group}.${method.name} is there twice: name one by its flags`);
  groups.set(group, [...methods, method]);
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

function groupName(tag: string): string {
  const [first = "", ...more] = tag.split(" ");
  const head = first === first.toUpperCase() ? first.toLowerCase() : lowerFirst(first);
  return head + more.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** createTransaction of Transactions is `create`; listPaymentMethods of it stays. */
function methodName(document: Document, operation: DocumentOperation): string {
  const { operationId, tags } = operation;
  const { name } = flagsOf(document, operation);
  if (name !== undefined) return name;
  const tag = tags[0]!;
  const group = groupName(tag);
  const noun = document.flags.nouns[tag] ?? `${group.charAt(0).toUpperCase()}${group.slice(1).replace(/s$/, "")}s?`;
  if (noun === "") return operationId;
  const words = operationId.charAt(0).toUpperCase() + operationId.slice(1);
  const left = words.replace(new RegExp(`(?:${noun})(?=[A-Z]|$)`), "");
  return /^[A-Z]/.test(left) ? lowerFirst(left) : lowerFirst(words);
}

function rowOf(document: Document, { path, method, operation }: Listed): Operation {
  const { parameters } = operation;
  const { isKeyed, isUsedUp, isOfInteraction } = flagsOf(document, operation);
  const requires = (name: string) =>
    parameters.some((each) => each.in === "header" && each.name === name && each.required);
  const [odd, numbers] = spellingsOf(document, operation);
  const list = listOf(document, operation);
  return {
    method: method.toUpperCase() as Operation["method"],
    path: path.replaceAll(/\{\w+\}/g, "{}"),
    ...(operation.requestBody && { body: true }),
    ...(parameters.some((each) => each.in === "query") && { query: true }),
    ...((requires("x-idempotency-key") || isKeyed) && { keyed: true }),
    ...(isUsedUp && { once: true }),
    ...(operation.security.every(
      (one) => Object.keys(one).length === 0 || operation.security.some((other) => Object.keys(other).length === 0),
    ) && { open: true }),
    ...(operation.servers && { sandbox: true }),
    ...(requires("x-fapi-auth-date") && { dated: true }),
    ...(isOfInteraction && { interaction: true }),
    ...(Object.keys(odd).length > 0 && { odd }),
    ...(numbers.length > 0 && { numbers }),
    ...(isBare(document, operation) && { bare: true }),
    ...(isArray(document, operation) && { array: true }),
    ...(list && { list }),
    ...typesOf(operation),
  };
}

function typesOf(operation: DocumentOperation): Pick<Operation, "stream" | "types"> {
  const types = Object.keys(operation.responses["200"]?.content ?? {}).map((type) => type.split(";")[0]!);
  if (types.every((type) => type === "application/json")) return {};
  return { ...(types.includes("text/event-stream") && { stream: true as const }), types };
}

/** Members of the body that have another name on the wire, and those that are numbers there. */
function spellingsOf(document: Document, operation: DocumentOperation): [Record<string, string>, string[]] {
  const body = bodyOf(operation);
  if (body === undefined) return [{}, []];
  const members = Object.entries(resolved(document, body).properties ?? {});
  const odd = members.flatMap(([name]) => (name in plainNames ? [[plainNames[name]!, name]] : []));
  const numbers = members
    .filter(([, schema]) => [schema, ...(schema.anyOf ?? [])].some(isNumber))
    .map(([name]) => plainNames[name] ?? name);
  const seen = new Set<unknown>();
  for (const [, member] of members) {
    const check = (schema: typeof member): void =>
      eachSchema(schema, (inner, name) => {
        if (seen.has(inner)) return;
        seen.add(inner);
        const nested = inner !== member && !member.anyOf?.includes(inner);
        if (nested && (isNumber(inner) || name in plainNames))
          throw new Error(`${operation.operationId}: ${name} lies too deep to be mapped`);
        if (inner.$ref) check(resolved(document, inner));
      });
    check(member);
  }
  return [Object.fromEntries(odd) as Record<string, string>, numbers];
}

function isBare(document: Document, operation: DocumentOperation): boolean {
  const json = operation.responses["200"]?.content?.["application/json"];
  return json !== undefined && !("data" in (resolved(document, json.schema).properties ?? {}));
}

/**
 * Whether its data are an array. Throws where they are neither that nor an object,
 * which the library could not check.
 */
function isArray(document: Document, operation: DocumentOperation): boolean {
  const answers = Object.entries(operation.responses).flatMap(([status, { content }]) => {
    const json = status.startsWith("2") ? content?.["application/json"] : undefined;
    return json ? [resolved(document, json.schema)] : [];
  });
  const datas = answers.flatMap((answer) => {
    const data = resolved(document, answer.properties?.["data"] ?? answer);
    return (data.anyOf ?? [data]).map((one) => resolved(document, one).type);
  });
  const [first = "object", ...more] = new Set(datas.map(String));
  if (more.length > 0 || (first !== "array" && first !== "object"))
    throw new Error(`${operation.operationId}: its data are ${[first, ...more].join(" or ")}`);
  return first === "array";
}

function listOf(document: Document, operation: DocumentOperation): Operation["list"] {
  const [answer] = answersOf(operation);
  if (answer === undefined) return undefined;
  const envelope = resolved(document, answer).properties ?? {};
  const data = envelope["data"] && resolved(document, envelope["data"]);
  const query = operation.parameters.filter((each) => each.in === "query").map(({ name }) => name);
  if (data === undefined) return undefined;
  if (data.type === "array") {
    if ("nextCursor" in envelope) return ["", "nextCursor"];
    if (query.includes("page") && "totalPages" in envelope) return ["", "page"];
    if (!query.includes("before")) return undefined;
    const item = resolved(document, data.items!).properties ?? {};
    return ["", `before:${"sequence" in item ? "sequence" : "version"}`];
  }
  const next = (["nextCursor", "cursor"] as const).find((name) => name in (data.properties ?? {}));
  if (next === undefined || !query.includes("cursor")) return undefined;
  const arrays = Object.entries(data.properties ?? {}).filter(
    ([, schema]) => resolved(document, schema).type === "array",
  );
  if (arrays.length !== 1) throw new Error(`${operation.operationId}: which of ${arrays.length} arrays has the items?`);
  return [arrays[0]![0], next];
}
