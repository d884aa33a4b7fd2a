import { freePort } from "../deploy/local/ports.js";
import { send, startEdge, type Edge } from "../test/gateway/edge.js";
import { answerSamples, operationNamed } from "../test/gateway/operations.js";
import { investmentRoutes, routes } from "./operations/index.js";

let edge: Edge;
let adminPort: number;
beforeAll(async () => {
  adminPort = await freePort();
  edge = await startEdge({ adminPort, config: { INVESTMENT_ADDRESS: undefined } });
});
beforeEach(() => answerSamples(edge));
afterAll(() => edge.stop());

const pathOf = (path: string) => path.replaceAll(/:\w+/g, "0199d0c2-46ea-74bb-86c4-a148e2448d42");

test("every investment path is 404 SERVICE_NOT_INSTALLED, whoever asks, and nobody is dialled", async () => {
  expect(investmentRoutes.length).toBeGreaterThan(10);
  const tokens = [undefined, await edge.token(), await edge.token({ role: "MANAGER" })];
  for (const { method, path, aliases = [] } of investmentRoutes) {
    for (const one of [path, ...aliases].map(pathOf)) {
      for (const token of tokens) {
        const headers = token === undefined ? {} : { "X-Auth-Token": token };
        const { status, json: body } = await edge.send({ method: method.toUpperCase(), path: one, headers });
        expect({ one, status, body }).toEqual({
          one,
          status: 404,
          body: { status: "FAILED", code: "SERVICE_NOT_INSTALLED", message: "investment is not part of this system" },
        });
      }
    }
  }
  const { text } = await send(adminPort, { path: "/metrics" });
  expect(text).toContain('manilla_breaker_open{neighbour="lending"}');
  expect(text).not.toContain('neighbour="investment"');
  expect(text).not.toContain("investment.v1");
});

test("the gateway is ready, everything else is served, and the document does not offer what is not there", async () => {
  expect((await send(adminPort, { path: "/readyz" })).status).toBe(200);
  const accounts = operationNamed("listWalletAccounts").request;
  const answer = await edge.send({ ...accounts, headers: { "X-Auth-Token": await edge.token() } });
  expect(answer.status).toBe(200);
  const { json } = await edge.send({ path: "/openapi.json" });
  const document = json as {
    paths: Record<string, Record<string, { operationId?: string }>>;
    tags: { name: string }[];
  };
  const offered = new Set(
    Object.values(document.paths).flatMap((path) =>
      Object.values(path).flatMap(({ operationId }) => operationId ?? []),
    ),
  );
  const expected = routes.filter((route) => !investmentRoutes.includes(route)).map(({ operationId }) => operationId);
  expect(expected.filter((operationId) => !offered.has(operationId))).toEqual([]);
  expect(investmentRoutes.filter(({ operationId }) => offered.has(operationId))).toEqual([]);
  expect(document.tags.map(({ name }) => name)).not.toContain("Investments");
});
