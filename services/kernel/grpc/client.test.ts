import { createServer as createHttp2Server } from "node:http2";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { GrpcInstrumentation } from "@opentelemetry/instrumentation-grpc";
import { ProbeDefinition, createProbeNetwork } from "../../../test/support/transport.js";
import { Refusal } from "../refusal.js";
import { createClient, outgoing, type CallOptions } from "./client.js";
import type { GrpcDefinition } from "./definition.js";
import { waitFor } from "../../../test/support/index.js";

const call = outgoing({ tenantId: "acme", interactionId: "i-1" });
const amount = { amountMinor: 1n, currency: "USD" };

let network: Awaited<ReturnType<typeof createProbeNetwork>>;
beforeAll(async () => void (network = await createProbeNetwork()));
let endTracing = (): void => undefined;
afterEach(async () => {
  endTracing();
  endTracing = () => undefined;
  await network.close();
  network.lines.length = 0;
});

/** As register.ts does in a process that has a collector, until the test ends. */
function traceCalls(): void {
  const grpc: object = jest.requireActual("@grpc/grpc-js");
  const [definition] = new GrpcInstrumentation().getModuleDefinitions();
  definition!.patch!(grpc);
  endTracing = () => definition!.unpatch!(grpc);
}

describe("refusals", () => {
  test("come back whole: code, message, faults, figures, retry time, in any script", async () => {
    const refusal = new Refusal("INSUFFICIENT_FUNDS", 'Guthaben reicht nicht: 12,00 € – "余额不足" 💸\nund \ud800', {
      errors: [{ path: "party.creditParty[0].value", message: "naïve ☃" }],
      figures: { available: "12.00", asked: "9223372036854775807" },
      retryAfterS: 3,
    });
    const { address } = await network.serve({
      handlers: {
        write: async () => {
          throw refusal;
        },
      },
    });
    const error: unknown = await network
      .client({ address })
      .write(amount, call)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Refusal);
    expect(error).toMatchObject({ code: refusal.code, message: refusal.message, details: refusal.details });
    expect(network.lines).toEqual([]);
  });

  test("with more faults than a trailer holds keep their code and say how many are left out", async () => {
    const errors = Array.from({ length: 2_000 }, (_, index) => ({
      path: `rows[${index}].währung`,
      message: "unknown",
    }));
    const { address } = await network.serve({
      handlers: {
        write: async () => {
          throw new Refusal("INVALID_INPUT", "ö".repeat(5_000), { errors, figures: { big: "9".repeat(20_000) } });
        },
      },
    });
    const error: unknown = await network
      .client({ address })
      .write(amount, call)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Refusal);
    const { code, details } = error as Refusal;
    expect(code).toBe("INVALID_INPUT");
    const stated = details?.errors ?? [];
    expect(stated[0]).toEqual(errors[0]);
    expect(stated.length).toBeGreaterThan(20);
    expect(stated.at(-1)?.message).toBe(`and ${2_000 - (stated.length - 1)} more`);
  });

  test("of a service further on pass through the one between", async () => {
    const far = await network.serve({
      handlers: {
        read: async () => {
          throw new Refusal("ACCOUNT_CLOSED", "closed", { figures: { balance: "0.00" } });
        },
      },
    });
    const client = network.client({ address: far.address });
    const near = await network.serve({
      service: "wallet",
      handlers: { read: (request, given) => client.read(request, outgoing(given)) },
    });
    const gateway = network.client({ address: near.address, audience: "wallet", caller: "gateway" });
    await expect(gateway.read(amount, call)).rejects.toMatchObject({
      code: "ACCOUNT_CLOSED",
      details: { figures: { balance: "0.00" } },
    });
  });

  test.each(["", " in a process that traces"])(
    "that are the stored answer of an earlier call say so, like answers that are%s",
    async (tracing) => {
      if (tracing !== "") traceCalls();
      const { address } = await network.serve({
        handlers: {
          read: async (request, given) => {
            if (request.currency === "USD") given.markReplayed();
            return request;
          },
          write: async (_, given) => {
            given.markReplayed();
            throw new Refusal("STATE_CONFLICT", "already so");
          },
        },
      });
      const client = network.client({ address });
      let replays = 0;
      const counting: CallOptions = { ...call, onReplayed: () => void (replays += 1) };
      await client.read(amount, counting);
      expect(replays).toBe(1);
      await expect(client.write(amount, counting)).rejects.toMatchObject({ code: "STATE_CONFLICT" });
      expect(replays).toBe(2);
      await client.read({ currency: "EUR" }, counting);
      expect(replays).toBe(2);
    },
  );
});

describe("int64 on the wire", () => {
  test.each([2n ** 63n - 1n, -(2n ** 63n), 0n])("carries %d exactly", async (amountMinor) => {
    const { address } = await network.serve({});
    const answer = await network.client({ address }).read({ amountMinor }, call);
    expect(answer.amountMinor).toBe(amountMinor);
  });

  test.each([2n ** 63n, 2n ** 63n + 5n, -(2n ** 63n) - 1n, 2n ** 64n])("sends nothing for %d", async (amountMinor) => {
    let reached = 0;
    const { address } = await network.serve({
      handlers: {
        read: async (request) => {
          reached += 1;
          return request;
        },
      },
    });
    await expect(network.client({ address }).read({ amountMinor }, call)).rejects.toThrow(/int64 too large/);
    expect(reached).toBe(0);
  });
});

/**
 * Takes connections and drops each as soon as a request's bytes arrive: the caller cannot know what
 * came of it.
 */
async function startDroppingServer() {
  let requests = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    // The HTTP/2 preface and SETTINGS must be answered first, or the client only sees a connection
    // that never was.
    socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
    socket.on("data", (bytes: Buffer) => {
      if (!hasHeadersFrame(bytes)) return;
      requests += 1;
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    address: `127.0.0.1:${port}`,
    get requests() {
      return requests;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function hasHeadersFrame(bytes: Buffer): boolean {
  const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  let at = bytes.subarray(0, preface.length).equals(preface) ? preface.length : 0;
  while (at + 9 <= bytes.length) {
    if (bytes[at + 3] === 1) return true;
    at += 9 + bytes.readUIntBE(at, 3);
  }
  return false;
}

describe("attempts", () => {
  test("a marked rpc is tried three times, an unmarked one once; then 503 UNAVAILABLE with a time to retry", async () => {
    const dropping = await startDroppingServer();
    const client = network.client({ address: dropping.address });
    await expect(client.write(amount, call)).rejects.toMatchObject({
      name: "Refusal",
      code: "UNAVAILABLE",
      details: { retryAfterS: 1 },
    });
    expect(dropping.requests).toBe(1);
    await expect(client.read(amount, call)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(dropping.requests).toBe(4);
    const questions = [{ interactionId: "i-2", request: amount }];
    const names = { code: "UNAVAILABLE", message: expect.stringContaining("probe.v1.ProbeService/Write") };
    await expect(client.batch("write", questions, call)).rejects.toMatchObject(names);
    expect(dropping.requests).toBe(5);
    await expect(client.batch("read", questions, call)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(dropping.requests).toBe(8);
    dropping.close();
  });

  test.each([
    ["ends under a call, as old ones do, is a way that is gone and no answer", 0, 1],
    ["turns a call away unseen has any rpc tried again", 7, 3],
  ])("a connection that %s", async (_what, code, attemptsOfUnmarked) => {
    let requests = 0;
    const ending = createHttp2Server().on("stream", (stream) => {
      requests += 1;
      stream.on("error", () => undefined).close(code);
    });
    await new Promise<void>((resolve) => ending.listen(0, "127.0.0.1", resolve));
    const client = network.client({ address: `127.0.0.1:${(ending.address() as AddressInfo).port}` });
    await expect(client.write(amount, call)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    const ofUnmarked = requests;
    await expect(client.read(amount, call)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    // grpc-js tries what was turned away once more by itself, each time.
    expect([ofUnmarked, requests - ofUnmarked]).toEqual(
      code === 0 ? [attemptsOfUnmarked, 3] : [attemptsOfUnmarked * 2, 6],
    );
    client.close();
    ending.close();
  });

  test("another attempt succeeds where the service is back", async () => {
    const dropping = await startDroppingServer();
    const port = Number(dropping.address.split(":")[1]);
    const client = network.client({ address: dropping.address });
    const answer = client.read(amount, call);
    await waitFor(() => dropping.requests > 0, { everyMs: 5 });
    dropping.close();
    await network.serve({ port });
    await expect(answer).resolves.toEqual(amount);
  });

  test("what still runs after an attempt was lost is that attempt: its end is waited for", async () => {
    const dropping = await startDroppingServer();
    const port = Number(dropping.address.split(":")[1]);
    const client = network.client({ address: dropping.address });
    const answer = client.read(amount, call);
    await waitFor(() => dropping.requests > 0, { everyMs: 5 });
    dropping.close();
    let requested = 0;
    const runsUntilRequested = async (times: number) => {
      requested += 1;
      if (requested < times) throw new Refusal("IDEMPOTENCY_IN_FLIGHT", "a request with this key is running");
      return amount;
    };
    await network.serve({ port, handlers: { read: () => runsUntilRequested(4) } });
    await expect(answer).resolves.toEqual(amount);
    expect(requested).toBe(4);

    // Somebody else's: an answer like any other.
    requested = 0;
    await expect(client.read(amount, call)).rejects.toMatchObject({ code: "IDEMPOTENCY_IN_FLIGHT" });
    expect(requested).toBe(1);
  });

  test("a refusal is an answer: UNAVAILABLE and INTERNAL that the service decided on are not tried again", async () => {
    let calls = 0;
    const { address } = await network.serve({
      handlers: {
        read: async ({ currency }) => {
          calls += 1;
          throw currency === "USD" ? new Refusal("UNAVAILABLE", "no store", { retryAfterS: 7 }) : new Error("bug");
        },
      },
    });
    const client = network.client({ address });
    await expect(client.read(amount, call)).rejects.toMatchObject({ code: "UNAVAILABLE", details: { retryAfterS: 7 } });
    await expect(client.read({ currency: "EUR" }, call)).rejects.toMatchObject({ code: "INTERNAL" });
    expect(calls).toBe(2);
  });

  test("nobody listens: UNAVAILABLE well within the deadline", async () => {
    const { address, stop } = await network.serve({});
    await stop();
    const begunAt = Date.now();
    await expect(network.client({ address }).read(amount, call)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(Date.now() - begunAt).toBeLessThan(5_000);
  });

  test("a client that was closed is UNAVAILABLE, and leaves nothing behind", async () => {
    const { address } = await network.serve({});
    const client = network.client({ address });
    await client.write(amount, call);
    client.close();
    const timersBefore = timers();
    await expect(client.write(amount, { ...call, timeoutMs: 60_000 })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(timers()).toBe(timersBefore);
  });

  test("the deadline ends attempts too", async () => {
    const dropping = await startDroppingServer();
    const client = network.client({ address: dropping.address });
    const begunAt = Date.now();
    await expect(client.read(amount, { ...call, timeoutMs: 30 })).rejects.toBeInstanceOf(Refusal);
    expect(Date.now() - begunAt).toBeLessThan(1_000);
    dropping.close();
  });
});

describe("a client", () => {
  test("uses all addresses in turn", async () => {
    const served = [0, 0];
    const answering = (index: 0 | 1) =>
      network.serve({
        handlers: {
          read: async (request) => {
            served[index] = (served[index] ?? 0) + 1;
            return request;
          },
        },
      });
    const addresses = [(await answering(0)).address, (await answering(1)).address];
    const client = network.client({ address: addresses.join(",") });
    for (let index = 0; index < 40; index += 1) await client.read(amount, call);
    expect(Math.min(...served)).toBeGreaterThan(10);
  });

  test("does not let a malformed user token into an error message", async () => {
    const { address } = await network.serve({});
    const failure = network.client({ address }).read(amount, { ...call, userToken: "secret\u00e9" });
    await expect(failure).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    await expect(failure).rejects.not.toThrow(/secret/);
  });

  test("refuses a definition with streams", () => {
    const read = { ...ProbeDefinition.methods.read, requestStream: true };
    const definition: GrpcDefinition = { name: "S", fullName: "s.S", methods: { read } };
    const options = { address: "127.0.0.1:1", audience: "ledger", signer: network.signerOf("wallet") } as const;
    expect(() => createClient(definition, options)).toThrow(/only unary/);
  });
});

function timers(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
}
