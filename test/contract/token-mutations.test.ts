import { Agent } from "node:http";
import { routes } from "../../gateway/operations/index.js";
import { startEdge, type Edge } from "../gateway/edge.js";
import { answerSamples } from "../gateway/operations.js";
import { exampleRequest } from "./example-request.js";
import { mutationsOf, type HeaderSet } from "./token-mutations.js";

let edge: Edge;
let mutations: Record<string, HeaderSet>;
const reached: string[] = [];
// Some fourteen thousand requests: no connection is opened for each, and
// one does not wait for the other.
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

beforeAll(async () => {
  edge = await startEdge();
  answerSamples(edge);
  for (const service of Object.values(edge.fakes) as Record<string, (...args: never[]) => unknown>[]) {
    for (const [rpc, handler] of Object.entries(service)) {
      if (["resolveHost", "getJwks", "checkRevocation"].includes(rpc)) continue;
      service[rpc] = (...args) => (reached.push(rpc), handler(...args));
    }
  }
  mutations = await mutationsOf(await edge.genuineToken(), edge.resign);
});
afterAll(async () => {
  agent.destroy();
  await edge.stop();
});

const protectedRoutes = routes.filter(({ access }) => typeof access !== "string");

test("there are forty kinds at least, and the token they are made of is right", async () => {
  expect(Object.keys(mutations).length).toBeGreaterThanOrEqual(40);
  const { token } = await edge.genuineToken();
  const policy = routes.find(({ operationId }) => operationId === "listOrganisationCompliancePolicy")!;
  expect((await edge.send({ ...exampleRequest(policy), headers: { "X-Auth-Token": token } })).status).toBe(200);
});

test.each(protectedRoutes.map((route) => [route.operationId, route] as const))(
  "%s accepts none of them",
  async (_operationId, route) => {
    const request = exampleRequest(route);
    reached.length = 0;
    const accepted: string[] = [];
    const send = async ([name, headers]: [string, HeaderSet]) => {
      const { status, json } = await edge.send({ ...request, headers: { ...request.headers, ...headers }, agent });
      if (status !== 401 || json.status !== "FAILED" || json.role !== null) accepted.push(`${name}: ${status}`);
    };
    await Promise.all(Object.entries(mutations).map(send));
    expect([accepted, reached]).toEqual([[], []]);
  },
);
