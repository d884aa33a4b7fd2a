import { createProbeNetwork } from "../../../test/support/transport.js";
import { outgoing } from "./client.js";
import { timeoutHeader } from "./deadline.js";
import { takes } from "../../../test/support/time.js";
import { waitFor } from "../../../test/support/index.js";

const call = outgoing({ tenantId: "acme", interactionId: "i-1" });
const amount = { amountMinor: 1n, currency: "USD" };

let network: Awaited<ReturnType<typeof createProbeNetwork>>;
beforeAll(async () => void (network = await createProbeNetwork()));
afterEach(async () => {
  await network.close();
  network.lines.length = 0;
});

/** gateway → wallet → ledger, with what ledger saw. */
async function startTwoHops(options: { walletTakesMs?: number; walletAllowsMs?: number } = {}) {
  const seen = { deadlineMs: 0, abortedAtMs: 0, calls: 0, walletStopped: false };
  const ledger = await network.serve({
    handlers: {
      read: async (request, { deadline }) => {
        seen.deadlineMs = deadline?.getTime() ?? 0;
        return request;
      },
      write: async (_, { deadline, signal }) => {
        seen.calls += 1;
        seen.deadlineMs = deadline?.getTime() ?? 0;
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
        seen.abortedAtMs = Date.now();
        throw signal.reason;
      },
    },
  });
  const toLedger = network.client({ address: ledger.address });
  const { walletTakesMs = 0, walletAllowsMs } = options;
  const extra = walletAllowsMs === undefined ? {} : { timeoutMs: walletAllowsMs };
  const wallet = await network.serve({
    service: "wallet",
    handlers: {
      read: async (request, given) => {
        await takes(walletTakesMs);
        return toLedger.read(request, outgoing(given, extra));
      },
      write: async (request, given) => {
        await takes(walletTakesMs);
        try {
          return await toLedger.write(request, outgoing(given, extra));
        } finally {
          seen.walletStopped = true;
        }
      },
    },
  });
  const gateway = network.client({ address: wallet.address, audience: "wallet", caller: "gateway" });
  return { gateway, seen };
}

test("one deadline holds along two hops: what the first hop used up is gone for the second", async () => {
  const { gateway, seen } = await startTwoHops({ walletTakesMs: 500 });
  const begunAtMs = Date.now();
  await gateway.read(amount, { ...call, timeoutMs: 2_000 });
  expect(seen.deadlineMs - begunAtMs).toBeGreaterThan(1_990);
  expect(seen.deadlineMs - begunAtMs).toBeLessThan(2_450);
});

test("when it passes every hop stops and the first caller gets 504 DEADLINE_EXCEEDED", async () => {
  const { gateway, seen } = await startTwoHops();
  const begunAtMs = Date.now();
  await expect(gateway.write(amount, { ...call, timeoutMs: 1_500 })).rejects.toMatchObject({
    name: "Refusal",
    code: "DEADLINE_EXCEEDED",
  });
  expect(Date.now() - begunAtMs).toBeLessThan(8_000);
  await waitFor(() => seen.abortedAtMs !== 0 && seen.walletStopped);
  expect(seen.abortedAtMs - begunAtMs).toBeLessThan(8_000);
  expect(network.lines).toEqual([]);
});

test("a hop may allow the next less than is left, never more", async () => {
  const short = await startTwoHops({ walletAllowsMs: 100 });
  const begunAtMs = Date.now();
  const failure = short.gateway.write(amount, { ...call, timeoutMs: 5_000 });
  await expect(failure).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
  expect(Date.now() - begunAtMs).toBeLessThan(4_000);

  const long = await startTwoHops({ walletAllowsMs: 60_000 });
  await long.gateway.read(amount, { ...call, timeoutMs: 1_000 });
  expect(long.seen.deadlineMs - Date.now()).toBeLessThan(1_000);
});

test("a call whose time is over is not sent", async () => {
  const { gateway, seen } = await startTwoHops();
  const late = { ...call, deadline: new Date(Date.now() - 1) };
  await expect(gateway.write(amount, late)).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
  expect(seen.calls).toBe(0);
});

test("a cancelled call cancels what it called", async () => {
  const { gateway, seen } = await startTwoHops();
  const gone = new AbortController();
  const failure = gateway.write(amount, { ...call, signal: gone.signal });
  await waitFor(() => seen.calls > 0);
  gone.abort();
  await expect(failure).rejects.toMatchObject({ name: "AbortError" });
  await waitFor(() => seen.abortedAtMs !== 0);
  expect(network.lines).toEqual([]);
});

test.each([
  [0.2, "1m"],
  [1_500.4, "1501m"],
  [99_999_999, "99999999m"],
  [100_000_001, "100001S"],
])("%d ms is %s on the wire", (ms, text) => {
  expect(timeoutHeader(ms)).toBe(text);
});
