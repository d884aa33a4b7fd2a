import { request, type IncomingHttpHeaders } from "node:http";
import { gunzipSync } from "node:zlib";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { startEdge, type Edge } from "../test/gateway/edge.js";
import { answerSamples, operations, type Operation } from "../test/gateway/operations.js";
import { routes } from "./operations/index.js";

let edge: Edge;
// oxlint-disable-next-line typescript/no-explicit-any -- a JSON document
let document: any;
beforeAll(async () => {
  edge = await startEdge();
  answerSamples(edge);
  document = (await edge.send({ path: "/openapi.json" })).json;
});
afterAll(() => edge.stop());

/** Bytes as they are sent. */
function raw(path: string, headers: Record<string, string>) {
  return new Promise<{ headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    const requested = request({ port: edge.port, host: "127.0.0.1", path, headers, agent: false }, async (answer) => {
      resolve({ headers: answer.headers, body: Buffer.concat(await answer.toArray()) });
    });
    requested.once("error", reject).end();
  });
}

const ajv = new Ajv2020({
  strict: false,
  formats: { "date-time": true, date: true, ipv4: true, ipv6: true, int64: true },
});

// Most operations share their failures' schemas: each is compiled once.
const validators = new Map<string, ValidateFunction>();

/** How many requests that services get while something runs hold this text. */
async function requestsWith(text: string, work: () => Promise<unknown>): Promise<number> {
  let found = 0;
  const plain = (_name: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);
  type Rpcs = Record<string, (request: unknown, call: unknown) => unknown>;
  const played = Object.values(edge.fakes as unknown as Record<string, Rpcs>);
  const before = played.map((rpcs) => ({ ...rpcs }));
  for (const rpcs of played) {
    for (const [name, answer] of Object.entries(rpcs)) {
      rpcs[name] = (request, call) => {
        if (JSON.stringify(request, plain).includes(text)) found += 1;
        return answer(request, call);
      };
    }
  }
  await work();
  for (const [at, rpcs] of played.entries()) Object.assign(rpcs, before[at]);
  return found;
}

/** Validates by the schema at a JSON pointer of the document. */
function validatorOf(...path: string[]): ValidateFunction {
  const pointer = path.map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1")).join("/");
  if (!ajv.getSchema("doc")) ajv.addSchema(document, "doc");
  const validator = validators.get(pointer) ?? ajv.compile({ $ref: `doc#/${encodeURI(pointer)}` });
  validators.set(pointer, validator);
  return validator;
}

function responseSchema({ path, request }: Operation, status: number): ValidateFunction {
  const responses = document.paths[path][request.method.toLowerCase()].responses;
  const [, ...shared] = (responses[status]?.$ref as string | undefined)?.split("/") ?? [];
  const at = ["paths", path, request.method.toLowerCase(), "responses", String(status)];
  return validatorOf(...(shared.length > 0 ? shared : at), "content", "application/json", "schema");
}

async function withToken({ request, roles }: Operation) {
  const role = roles.at(-1);
  return { ...request, headers: { ...request.headers, ...(role && { "X-Auth-Token": await edge.token({ role }) }) } };
}

const inSandboxOnly = routes.filter(({ sandboxOnly }) => sandboxOnly);

test("page sizes and ends have one name in every query of our own, and the contract's operations are 18", () => {
  const named = routes.flatMap(({ operationId, query }) =>
    Object.keys(query?.shape ?? {}).map((name) => `${operationId} ${name}`),
  );
  const others = /^(limit|count|max|pageSize|perPage|since|until|after|start|end|fromDate|toDate)$/i;
  expect(named.filter((each) => others.test(each.split(" ")[1]!))).toEqual([]);
  expect(routes.filter(({ contract }) => contract)).toHaveLength(18);
});

test("is OpenAPI 3.1 and covers each path of each route, and nothing else", () => {
  expect(document.openapi).toBe("3.1.0");
  const declared = routes.flatMap(({ path, aliases = [], method }) =>
    [path, ...aliases].map((each) => `${method} ${each}`),
  );
  const documented = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item as object).map((method) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`),
  );
  expect(documented.toSorted()).toEqual(declared.toSorted());
  const elsewhere = inSandboxOnly.map(({ path }) => path.replaceAll(/:(\w+)/g, "{$1}"));
  const tried = new Set([...operations.map(({ path }) => path), ...elsewhere]);
  expect([...tried].toSorted()).toEqual(Object.keys(document.paths).toSorted());
});

test("the document comes packed to whoever can unpack it, and not at all to whoever has it", async () => {
  const get = (headers: Record<string, string>) => edge.send({ path: "/openapi.json", headers });
  const plain = await get({});
  const packed = await raw("/openapi.json", { "accept-encoding": "br;q=1, gzip;q=0.8" });
  expect([packed.headers["content-encoding"], packed.headers["cache-control"]]).toEqual(["gzip", "no-cache"]);
  expect(packed.headers.vary).toContain("Accept-Encoding");
  expect(JSON.parse(gunzipSync(packed.body).toString())).toEqual(plain.json);
  expect(packed.body.length).toBeLessThan(plain.text.length / 8);
  expect(plain.headers["content-encoding"]).toBeUndefined();
  expect(plain.headers.etag).not.toBe(packed.headers.etag);
  for (const { headers } of [plain, packed]) {
    const accepted = headers["content-encoding"] ? { "accept-encoding": "gzip" } : {};
    const again = await get({ ...accepted, "if-none-match": headers.etag! });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, "", headers.etag]);
  }
  expect((await get({ "if-none-match": '"another"' })).status).toBe(200);
});

test("every reference leads somewhere and every operation has a name of its own", () => {
  const names = new Set<string>();
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === "$ref") {
        const [, ...path] = (value as string).split("/");
        expect(path.reduce((at, part) => at?.[part], document)).toBeDefined();
      }
      if (key === "links") continue;
      if (key === "operationId") {
        expect(names).not.toContain(value);
        names.add(value as string);
      }
      walk(value);
    }
  };
  walk(document);
  const received = Object.keys(document.webhooks as object).length;
  expect(names.size).toBe(operations.length + inSandboxOnly.length + received);
});

test("links lead from and to operations that are there", () => {
  const ids = new Set(routes.map(({ operationId }) => operationId));
  for (const { example } of routes) {
    for (const from of Object.values(example?.from ?? {})) expect(ids).toContain(from.split(" ")[0]);
  }
});

describe.each(operations)("$name", (operation) => {
  test("answers what is documented, and takes what it documents", async () => {
    const answer = await edge.send(await withToken(operation));
    expect(answer.status).toBe(operation.answers);
    if (operation.file !== undefined) {
      const { content } = document.paths[operation.path][operation.request.method.toLowerCase()].responses[200];
      expect(Object.keys(content)).toEqual(expect.arrayContaining([operation.file, answer.headers["content-type"]]));
      return;
    }
    const valid = responseSchema(operation, operation.answers);
    expect([valid(answer.json), valid.errors]).toEqual([true, null]);
    const { body, method } = operation.request;
    if (body === undefined) return;
    const takes = validatorOf(
      "paths",
      operation.path,
      method.toLowerCase(),
      "requestBody",
      "content",
      "application/json",
      "schema",
    );
    expect([takes(body), takes.errors]).toEqual([true, null]);
  });

  test("offers a key where it hands it on, and nowhere else", async () => {
    const { method } = operation.request;
    const { parameters = [] } = document.paths[operation.path][method.toLowerCase()];
    const isOffered = JSON.stringify(parameters).includes('"x-idempotency-key"');
    const key = `key-of-${operation.name}`;
    const requested = await withToken(operation);
    const handedOn = await requestsWith(key, () =>
      edge.send({ ...requested, headers: { ...requested.headers, "x-idempotency-key": key } }),
    );
    // Of the contract's reads some name it, where there is nothing to repeat.
    if (method !== "GET") expect([handedOn > 0]).toEqual([isOffered]);
    else expect(handedOn).toBe(0);
  });

  test("fails as documented", async () => {
    const failures = [
      await edge.send({ ...(await withToken(operation)), headers: { Host: "nobody.test" } }),
      await edge.send({ ...(await withToken(operation)), headers: { "X-Auth-Token": "x", ipAddress: "y" } }),
    ];
    for (const answer of failures) {
      const valid = responseSchema(operation, answer.status);
      expect([answer.status, valid(answer.json), valid.errors]).toEqual([answer.status, true, null]);
    }
  });

  test("documents its headers, and asks for those that are required", async () => {
    const { parameters, security } = document.paths[operation.path][operation.request.method.toLowerCase()];
    const required = parameters.filter(
      (parameter: { in: string; required?: boolean }) => parameter.in === "header" && parameter.required,
    );
    const names = required.map(({ name }: { name: string }) => name);
    expect(names.toSorted()).toEqual(Object.keys(operation.request.headers ?? {}).toSorted());
    const requested = await withToken(operation);
    for (const name of names as string[]) {
      const { [name]: _left, ...headers } = requested.headers as Record<string, string>;
      const { status, json } = await edge.send({ ...requested, headers });
      expect([status, json.code, json.errors]).toEqual([
        400,
        "HEADER_REQUIRED",
        [{ path: `headers.${name}`, message: "is required" }],
      ]);
    }
    const open = security.length === 0 || security.some((scheme: object) => Object.keys(scheme).length === 0);
    expect(open).toBe(operation.roles.length === 0);
  });
});
