import { answersOf, resolved, type Document, type DocumentOperation } from "./document.js";
import { plainNames } from "./names.js";
import { groupsOf, type Method } from "./operations.js";

/** What of an operation's example a snippet shows. */
export interface SnippetExample {
  as?: string;
  sandbox?: boolean;
  headers?: Readonly<Record<string, string>>;
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: Readonly<Record<string, unknown>>;
  from?: Readonly<Record<string, string>>;
}

/** TypeScript that stands as it is, not as text in quotes. */
class Code {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const widthColumns = 100;
const listMax = 20;

/**
 * Gives the examples of a document as TypeScript that calls this library: `manilla` is the client,
 * and what other examples answered stands in variables, which the first line names.
 */
export function createSnippets(document: Document) {
  const methods = new Map<string, Method & { group: string }>();
  for (const [group, listed] of groupsOf(document)) {
    for (const method of listed) {
      if (!method.sandboxHelper) methods.set(method.listed.operation.operationId, { ...method, group });
    }
  }

  function methodOf(operationId: string): Method & { group: string } {
    const method = methods.get(operationId);
    if (method === undefined) throw new Error(`there is no operation ${operationId}`);
    return method;
  }

  function snippetOf(operationId: string, example: SnippetExample = {}): string {
    const { group, name, row, listed } = methodOf(operationId);
    const call = `manilla.${group}.${name}(${argumentsOf(operationId, example)})`;
    const taken = [...sourcesOf(example)].map(answerName);
    const answer = taken.includes(answerName(operationId)) ? "answer" : answerName(operationId);
    const lines = [headOf(example)];
    if (row.stream) lines.push(`for await (const event of ${call}) console.log(event.type, event.id);`);
    else if (row.list) lines.push(`const ${answer} = await ${call}.toArray({ max: ${listMax} });`);
    else if (hasAnswer(listed.operation)) lines.push(`const ${answer} = await ${call};`);
    return `${lines.filter(Boolean).join("\n")}\n`;
  }

  function headOf({ as, sandbox, from = {} }: SnippetExample): string {
    const who = as === undefined ? [] : [`manilla: ${as}${sandbox ? ", in the sandbox" : ""}`];
    const sources = [...sourcesOf({ from })].map((source) => {
      const { group, name } = methodOf(source);
      return `${answerName(source)}: of ${group}.${name}`;
    });
    const said = [...who, ...sources].join("; ");
    return said && `// ${said}`;
  }

  function argumentsOf(operationId: string, example: SnippetExample): string {
    const { row, listed } = methodOf(operationId);
    const { params = {}, headers = {}, query = {}, body = {} } = withSources(example);
    const names = [...listed.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const given: unknown[] = names.map((name) => params[name] ?? name);
    if (row.interaction) given.push(headers["x-fapi-interaction-id"]);
    if (row.body) given.push(bodyOf(row, body));
    if (row.query) given.push(queryOf(listed.operation, query));
    given.push(optionsOf(row, headers));
    // What may be left out at the end is; what stands before something else is empty.
    while (given.length > 0 && isEmpty(given.at(-1)) && !mustStand(listed.operation, given.length, names.length))
      given.pop();
    return given.map((value) => written(value)).join(", ");
  }

  /** The example with its members of other answers as TypeScript. */
  function withSources({ from = {}, ...example }: SnippetExample): Record<string, Record<string, unknown>> {
    const parts: Record<string, Record<string, unknown>> = {
      params: { ...example.params },
      headers: { ...example.headers },
      query: { ...example.query },
      body: { ...example.body },
    };
    for (const [member, place] of Object.entries(from)) {
      const [part = "", name = ""] = member.split(/\.(.*)/s);
      parts[part]![name] = placeOf(place);
    }
    // What is new for each run.
    const isKeyed = "x-idempotency-key" in parts["headers"]!;
    const body = parts["body"]!;
    if ("paymentGatewayRef" in body) body["paymentGatewayRef"] = new Code("crypto.randomUUID()");
    if (isKeyed && "email" in body) body["email"] = new Code("`${crypto.randomUUID()}@demo.example`");
    return parts;
  }

  /**
   * `listTills data.tills.0.tillId` is `tills[0].tillId`: the client
   * gives the list without its page.
   */
  function placeOf(from: string): Code {
    const [source = "", place = ""] = from.split(" ");
    const { row, listed } = methodOf(source);
    let at = answersOf(listed.operation)[0];
    const steps = place.split(".").map((step, index) => {
      const { items, properties, required = [], anyOf = [] } = at === undefined ? {} : resolved(document, at);
      const forms = [{ properties, required }, ...anyOf.map((form) => resolved(document, form))];
      const form = forms.find((one) => step in (one.properties ?? {}));
      at = /^\d+$/.test(step) ? items : form?.properties?.[step];
      const isEnvelope = !row.bare && index === 0;
      if (isEnvelope || (row.list && step === row.list[0])) return "";
      if (/^\d+$/.test(step)) return `[${step}]`;
      return `.${plainNames[step] ?? step}${form?.required?.includes(step) ? "" : "!"}`;
    });
    return new Code(`${answerName(source)}${steps.join("")}`);
  }

  /** The variable of an operation's answer. */
  function answerName(operationId: string): string {
    const [, noun] = /^(?:create|list|read|declare)(?:All)?([A-Z]\w*)$/.exec(operationId) ?? [];
    const name = noun && noun.charAt(0).toLowerCase() + noun.slice(1);
    const given = document.flags.operations[operationId]?.answer;
    return given ?? (name === undefined || name === "case" ? "answer" : name);
  }

  return { snippetOf };
}

/** Operations whose answers an example takes members from. */
export function sourcesOf({ from = {} }: SnippetExample): Set<string> {
  return new Set(Object.values(from).map((place) => place.split(" ")[0]!));
}

function hasAnswer({ responses }: DocumentOperation): boolean {
  return Object.keys(responses).some((status) => status.startsWith("2"));
}

function bodyOf({ odd = {}, numbers = [] }: Method["row"], body: Record<string, unknown>): Record<string, unknown> {
  const plain = new Map(Object.entries(odd).map(([name, spelled]) => [spelled, name]));
  return Object.fromEntries(
    Object.entries(body).map(([spelled, value]) => {
      const name = plain.get(spelled) ?? spelled;
      return [name, numbers.includes(name) && typeof value === "number" ? String(value) : value];
    }),
  );
}

/**
 * A query is text in an example; what the document has as a number or a choice of two is one here.
 */
function queryOf({ parameters }: DocumentOperation, query: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const { type } = parameters.find((each) => each.in === "query" && each.name === name)?.schema ?? {};
      const isPlain = typeof value === "string" && (type === "integer" || type === "number" || type === "boolean");
      return [name, isPlain ? new Code(value) : value];
    }),
  );
}

function optionsOf({ interaction }: Method["row"], headers: Record<string, unknown>): Record<string, unknown> {
  const ipAddress = headers["ipAddress"] ?? headers["x-fapi-customer-ip-address"];
  const interactionId = headers["x-fapi-interaction-id"];
  return {
    ...(ipAddress !== undefined && { ipAddress }),
    ...(interactionId !== undefined && !interaction && { interactionId }),
    ...(headers["password"] !== undefined && { password: headers["password"] }),
  };
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && !(value instanceof Code) && Object.keys(value).length === 0;
}

/** True where the last argument of so many is a body or a query that has to be given. */
function mustStand({ requestBody, parameters }: DocumentOperation, count: number, ids: number): boolean {
  const isBody = count === ids + 1 && requestBody?.required === true;
  return isBody || (count === ids + 1 && parameters.some((each) => each.in === "query" && each.required));
}

/** A value as prettier would write it, in `widthColumns` where it can be. */
function written(value: unknown, indent = ""): string {
  if (value instanceof Code) return value.text;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const deeper = `${indent}  `;
  const isArray = Array.isArray(value);
  const [open, close] = isArray ? ["[", "]"] : ["{", "}"];
  const items = (inner: string) =>
    isArray
      ? value.map((item) => written(item, inner))
      : Object.entries(value).map(([name, item]) => {
          const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
          return `${key}: ${written(item, inner)}`;
        });
  const flat = items("").join(", ");
  if (flat === "") return `${open}${close}`;
  const line = isArray ? `[${flat}]` : `{ ${flat} }`;
  if (!line.includes("\n") && indent.length + line.length <= widthColumns - 40) return line;
  return `${open}\n${items(deeper)
    .map((item) => `${deeper}${item},\n`)
    .join("")}${indent}${close}`;
}
