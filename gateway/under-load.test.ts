import { processMetrics } from "../services/kernel/telemetry/metrics.js";
import { waitFor } from "../test/support/index.js";
import { startEdge } from "../test/gateway/edge.js";
import { answerSamples, operationNamed } from "../test/gateway/operations.js";
import { nothingFor } from "../test/support/time.js";

const accounts = operationNamed("listWalletAccounts").request;

test("what a gateway cannot finish is answered 503 with Retry-After at once, and nothing is called behind", async () => {
  const edge = await startEdge();
  answerSamples(edge);
  let requested = 0;
  const ending = Promise.withResolvers<object>();
  edge.fakes.wallet.listWalletAccounts = () => {
    requested += 1;
    return ending.promise as Promise<never>;
  };
  const headers = { "X-Auth-Token": await edge.token() };
  const hanging = Array.from({ length: 40 }, () => edge.send({ ...accounts, headers }));
  await waitFor(async () => requested === 40, { timeoutMs: 5_000, everyMs: 10, what: "the calls that hang" });
  // Seconds in which nothing is answered are what the next request is judged by.
  const refused = await waitFor(
    async () => {
      const answer = await Promise.race([edge.send({ ...accounts, headers }), nothingFor(500)]);
      return answer?.status === 503 ? answer : undefined;
    },
    { timeoutMs: 8_000, everyMs: 300, what: "the first refusal" },
  );
  expect(refused.json).toMatchObject({ status: "FAILED", code: "OVERLOADED" });
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  const before = requested;
  expect((await edge.send({ ...accounts, headers: { "X-Auth-Token": "not even a token" } })).status).toBe(503);
  expect(requested).toBe(before);
  // Other operations have nothing to do with it.
  expect((await edge.send({ ...operationNamed("findAllBeneficiaries").request, headers })).status).toBe(200);
  ending.resolve({});
  expect((await Promise.all(hanging)).map(({ status }) => status)).toEqual(hanging.map(() => 200));
  expect((await edge.send({ ...accounts, headers })).status).toBe(200);
  await edge.stop();
});

test("a gateway is ready after every service has refused a call of nobody; none is logged or counted", async () => {
  const edge = await startEdge({ config: { WARM_UP_S: 30 } });
  const lines = edge.logged.map((line) => JSON.parse(line) as { msg: string });
  // A handler that ran would have had no answer here, and its service been missed.
  expect(lines.filter(({ msg }) => msg.startsWith("warmed up"))).toMatchObject([{ msg: "warmed up" }]);
  expect(lines.filter(({ msg }) => msg === "request")).toEqual([]);
  const { body } = await processMetrics.text();
  expect(body).not.toMatch(/rpc="[^"]*\/(CountWork|GetChart)"/);
  await edge.stop();
});
