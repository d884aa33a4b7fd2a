import { createChannel, createClient as createBareClient } from "nice-grpc";
import { HealthDefinition } from "nice-grpc-server-health";
import { createProbeNetwork } from "../../../test/support/transport.js";
import { outgoing } from "./client.js";
import { runsFor, takes } from "../../../test/support/time.js";
import { waitFor } from "../../../test/support/index.js";

const call = outgoing({ tenantId: "acme", interactionId: "i-1" });
const amount = { amountMinor: 1n, currency: "USD" };

// grpc.health.v1.HealthCheckResponse.ServingStatus
const SERVING = 1;
const NOT_SERVING = 2;

let network: Awaited<ReturnType<typeof createProbeNetwork>>;
beforeAll(async () => void (network = await createProbeNetwork()));
afterEach(async () => {
  await network.close();
  network.lines.length = 0;
});

async function healthOf(port: number, service = "") {
  const channel = createChannel(`127.0.0.1:${port}`);
  try {
    return (await createBareClient(HealthDefinition, channel).check({ service })).status;
  } finally {
    channel.close();
  }
}

test("health answers without a token, for the whole and for the service, and follows setServing", async () => {
  const { port, setServing } = await network.serve({});
  await expect(healthOf(port)).resolves.toBe(SERVING);
  await expect(healthOf(port, "probe.v1.ProbeService")).resolves.toBe(SERVING);
  await expect(healthOf(port, "unknown.v1.Service")).rejects.toMatchObject({ code: 5 });
  setServing(false);
  await expect(healthOf(port)).resolves.toBe(NOT_SERVING);
  setServing(true);
  await expect(healthOf(port, "probe.v1.ProbeService")).resolves.toBe(SERVING);
});

test("stopping waits for every call in flight, takes no new ones, and does not wait for idle connections", async () => {
  let inFlight = 0;
  const server = await network.serve({
    handlers: {
      write: async (request) => {
        inFlight += 1;
        await takes(200);
        return request;
      },
    },
  });
  const idle = network.client({ address: server.address });
  await idle.read(amount, call);
  const busy = network.client({ address: server.address });
  const calls = Array.from({ length: 50 }, (_, index) => busy.write({ amountMinor: BigInt(index) }, call));
  await waitFor(() => inFlight >= 50, { everyMs: 5 });

  const begunAtMs = Date.now();
  const stopped = server.stop(5_000);
  const answers = await Promise.all(calls);
  expect(answers.map(({ amountMinor }) => Number(amountMinor))).toEqual(answers.map((_, index) => index));
  await stopped;
  expect(Date.now() - begunAtMs).toBeLessThan(4_000);
  await expect(idle.write(amount, call)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await server.stop();
  expect(network.lines).toEqual([]);
});

test("while one of two replicas drains under load, no call fails, not even those that may not be repeated", async () => {
  const handlers = {
    write: async (request: { amountMinor: bigint }) => {
      await takes(5);
      return request;
    },
  };
  const leaving = await network.serve({ handlers });
  const staying = await network.serve({ handlers });
  const client = network.client({ address: `${leaving.address},${staying.address}` });
  let done = false;
  let answered = 0;
  const failures: unknown[] = [];
  const load = Array.from({ length: 20 }, async () => {
    while (!done) {
      await client.write(amount, call).then(
        () => (answered += 1),
        (error: unknown) => failures.push(error),
      );
    }
  });
  await runsFor(300);
  await leaving.stop(5_000);
  const answeredByThen = answered;
  await runsFor(300);
  done = true;
  await Promise.all(load);
  expect(failures).toEqual([]);
  expect(answered).toBeGreaterThan(answeredByThen);
});

test("a call that outlasts the grace is ended: the caller does not know its outcome and gets UNAVAILABLE", async () => {
  let begun = false;
  const server = await network.serve({
    handlers: {
      write: async (request, { signal }) => {
        begun = true;
        await takes(3_000, signal);
        return request;
      },
    },
  });
  const failure = network.client({ address: server.address }).write(amount, call);
  failure.catch(() => undefined);
  await waitFor(() => begun);
  const begunAtMs = Date.now();
  await server.stop(50);
  await expect(failure).rejects.toMatchObject({ name: "Refusal", code: "UNAVAILABLE" });
  expect(Date.now() - begunAtMs).toBeLessThan(2_500);
  expect(network.lines).toContainEqual(expect.objectContaining({ msg: expect.stringContaining("still in flight") }));
});
