import { documentedPath } from "../../gateway/openapi-examples.js";
import { openApiDocument } from "../../gateway/openapi.js";
import { routes } from "../../gateway/operations/index.js";
import type { Route } from "../../gateway/route.js";
import type { Role } from "../../services/kernel/grpc/context.js";
import { exampleRequest } from "../contract/example-request.js";
import { accessTable } from "../contract/role-table.js";
import type { Edge, Sent } from "./edge.js";
import { handWritten } from "./hand-written.js";

export interface Operation {
  /** Its operationId, and " alias" behind that of another path. */
  name: string;
  /** As the OpenAPI document has it. */
  path: string;
  /** The request of its example, without token. */
  request: Sent & { method: string };
  /** What it is answered: 202 where it waits for somebody. */
  answers: 200 | 202;
  /** Roles that may call it, or none where no token is asked for. */
  roles: readonly Role[];
  /** Content type of its answer where that is no JSON. */
  file?: string;
}

/**
 * What waits at times is answered at once by their samples, since it is the body or another call
 * that says so.
 */
const answeredAtOnce = [
  "decideScreeningHit",
  "decideScreeningHits",
  "cashIn",
  "closeTill",
  "receiveCashOrder",
  "returnCashOrder",
  "changePlugin",
  "testPlugin",
];

/**
 * Of the sandbox alone: test/e2e/sandbox tries them on what keeps their outcomes, so nobody plays
 * it here.
 */
const here = routes.filter(({ sandboxOnly }) => !sandboxOnly);

function operationsOf(route: Route): Operation[] {
  const { operationId, path, aliases = [], body, waits, file } = route;
  const { roles } = accessTable[operationId]!;
  return [path, ...aliases].map((each) => ({
    name: each === path ? operationId : `${operationId} alias`,
    path: documentedPath(each),
    request: { ...(body && { body: {} }), ...withoutAbsent(exampleRequest({ ...route, path: each })) },
    answers: waits && !answeredAtOnce.includes(operationId) ? 202 : 200,
    roles: typeof roles === "string" ? [] : roles,
    ...(file !== undefined && { file }),
  }));
}

function withoutAbsent({ body, ...request }: Sent & { method: string }): Sent & { method: string } {
  return { ...request, ...(body !== undefined && { body }) };
}

/** A right request for every operation of the edge. */
export const operations: readonly Operation[] = here.flatMap(operationsOf);

export function operationNamed(name: string): Operation {
  const found = operations.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`no operation ${name}`);
  return found;
}

type Played = Record<string, Record<string, unknown>>;

// oxlint-disable-next-line typescript/no-explicit-any -- a JSON document
const document: any = JSON.parse(JSON.stringify(openApiDocument(here)));

/** What the document shows of its answer, as the service answers it. */
function answerOf({ path, method, bare, waits, wired }: Route): unknown {
  const { responses } = document.paths[documentedPath(path)][method];
  const { example } = responses[waits ? 202 : 200].content["application/json"];
  return wired!.answerCodec.toWire(bare ? example : example.data);
}

const shown = here.flatMap((route) =>
  route.wired === undefined ? [] : [{ rpc: route.wired.rpc.split("."), answer: answerOf(route) }],
);

/** Makes every played service answer with what the document shows, or with its sample. */
export function answerSamples({ fakes }: Pick<Edge, "fakes">): void {
  const played = fakes as unknown as Played;
  for (const { rpc, answer } of shown) played[rpc[0]!]![rpc[1]!] = async () => answer;
  for (const [service, rpcs] of Object.entries(handWritten)) Object.assign(played[service]!, rpcs);
}
