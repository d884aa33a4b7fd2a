import { startEdge, type Edge } from "../test/gateway/edge.js";
import { answerSamples, operations, type Operation } from "../test/gateway/operations.js";
import { resolverOf, wrongBodies } from "../test/gateway/wrong-values.js";
import { atDepth } from "../test/support/depth.js";
import { openApiDocument } from "./openapi.js";
import { routes } from "./operations/index.js";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
  answerSamples(edge);
});
afterAll(() => edge.stop());

jest.setTimeout(60_000);

// oxlint-disable-next-line typescript/no-explicit-any -- a JSON document
const document = openApiDocument(routes) as any;
const resolve = resolverOf(document);
const typesEach = 5;
// The quick suite sends every fifth of some 5,000 wrong bodies.
const everyNth = atDepth({ quick: 5, ci: 1, long: 1 });
// An item's faults are in its own result, so that the others go on.
const answeredInResult = /^dormAccountRequestDTO\.0\./;
const documentedOf = ({ path, request }: Operation) => document.paths[path][request.method.toLowerCase()];
const schemaOf = (operation: Operation) => documentedOf(operation).requestBody?.content["application/json"].schema;

async function tokenOf({ roles }: Operation): Promise<Record<string, string>> {
  const role = roles.at(-1);
  return role ? { "X-Auth-Token": await edge.token({ role }) } : {};
}

const hasFields = (schema: unknown) => Object.keys(resolve(schema)?.properties ?? {}).length > 0;
const withFields = operations.filter((operation) => hasFields(schemaOf(operation)));

test("the table has every operation that takes fields", () => {
  // Operations of the sandbox alone answer below /sandbox, which the services played here have none
  // of.
  const documented = Object.values(document.paths).flatMap((item) => Object.values(item as object));
  const here = documented.filter(({ servers = [] }) => !servers[0]?.url.endsWith("/sandbox"));
  const taking = here.filter((each) => hasFields(each.requestBody?.content["application/json"].schema));
  expect(withFields).toHaveLength(taking.length);
});

test.each(withFields)("$name refuses every field that its schema does not allow, by its name", async (operation) => {
  const { request } = operation;
  const headers = { ...request.headers, ...(await tokenOf(operation)) };
  const all = wrongBodies(schemaOf(operation), request.body ?? {}, resolve, typesEach);
  const wrongs = all.filter(({ path, what }) => what !== "huge" || !answeredInResult.test(path));
  const tried = wrongs.filter((_, place) => place % everyNth === 0);
  expect(tried.length).toBeGreaterThan(0);
  const unnamed: unknown[] = [];
  for (const { path, what, body } of tried) {
    const { status, json } = await edge.send({ ...request, headers, body });
    const paths: string[] = (json?.errors ?? []).map((fault: { path: string }) => fault.path);
    const isNamed = paths.some((each) => each === path || each.startsWith(`${path}.`));
    if (status !== 400 || json.code !== "INVALID_INPUT" || !isNamed) unnamed.push({ path, what, status, paths });
  }
  expect(unnamed).toEqual([]);
});

// What a person gives for what they do; a case's is a note, and what the sandbox is
// told is no reason of anybody's.
const reasoned = withFields.filter((operation) => resolve(schemaOf(operation))?.properties?.reason !== undefined);

test("reasons are asked for in many places, and by one rule", () => {
  expect(reasoned.length).toBeGreaterThan(20);
});

test.each(reasoned)("$name takes a reason of several lines and refuses what nobody reads", async (operation) => {
  const { request } = operation;
  const headers = { ...request.headers, ...(await tokenOf(operation)) };
  const faultsOf = async (reason: string): Promise<string[]> => {
    const { json } = await edge.send({ ...request, headers, body: { ...(request.body as object), reason } });
    return (json?.errors ?? []).map(({ path }: { path: string }) => path);
  };
  for (const readable of ["first line\nsecond line", "name\tcountry ❤️", "a\r\n".repeat(150)])
    expect(await faultsOf(readable)).toEqual([]);
  for (const unread of ["a\u0007b", "told\u202eapart", "x".repeat(301)])
    expect(await faultsOf(unread)).toEqual(["reason"]);
});
