import { SignJWT, importJWK } from "jose";
import { Metadata, createChannel, createClient as createBareClient } from "nice-grpc";
import {
  ProbeDefinition,
  createProbeNetwork,
  fixedSigner,
  type ProbeHandlers,
} from "../../../test/support/transport.js";
import { BatchServiceDefinition } from "../../../proto/gen/batching/v1/batching.js";
import { Money } from "../../../proto/gen/common/v1/money.js";
import { Refusal } from "../refusal.js";
import { processMetrics } from "../telemetry/metrics.js";
import type { UserTokenVerifier } from "../tokens/user-tokens.js";
import { createClient, outgoing } from "./client.js";
import { actorOf, requireUser, type Call } from "./context.js";
import type { GrpcDefinition } from "./definition.js";
import { refusalFromTrailer } from "./refusal-trailer.js";
import { startGrpcServer, type Access } from "./server.js";
import { nothingFor } from "../../../test/support/time.js";

const call = outgoing({ tenantId: "acme", interactionId: "i-1" });
const withUser = (userToken: string) => outgoing({ tenantId: "acme", interactionId: "i-1", userToken });
const amount = { amountMinor: 1n, currency: "USD" };

// Stands for the real verifier, which has tests of its own: "<tenant>.<role>" is a token of that
// tenant and role.
const verifyUserToken: UserTokenVerifier = async (token, { tenantId } = {}) => {
  const [ofTenant = "", role = ""] = token.split(".");
  if (tenantId !== undefined && tenantId !== ofTenant) throw new Refusal("UNAUTHENTICATED", "not of this tenant");
  return {
    userId: "u1",
    tenantId: ofTenant,
    role: role as "AGENT",
    sessionId: "s1",
    jti: "j1",
    issuedAt: new Date(),
    expiresAt: new Date(),
  };
};

let network: Awaited<ReturnType<typeof createProbeNetwork>>;
beforeAll(async () => void (network = await createProbeNetwork()));
afterEach(async () => {
  jest.restoreAllMocks();
  await network.close();
  network.lines.length = 0;
});

describe("who calls", () => {
  test("a caller of the access row gets through, with tenant, caller and interaction id in its call", async () => {
    let seen: Call | undefined;
    const { address } = await network.serve({
      handlers: {
        read: async (request, given) => {
          seen = given;
          return request;
        },
      },
    });
    await expect(network.client({ address }).read(amount, call)).resolves.toEqual(amount);
    expect(seen).toMatchObject({ tenantId: "acme", caller: "wallet", interactionId: "i-1" });
    expect(seen?.user).toBeUndefined();
    expect(seen && actorOf(seen)).toBe("wallet");
    expect(() => seen && requireUser(seen)).toThrow(expect.objectContaining({ code: "UNAUTHENTICATED" }));
  });

  test("403 CALLER_NOT_ALLOWED: a service that the row does not name", async () => {
    const { address } = await network.serve({ access: { write: { callers: ["gateway"] } } });
    await expect(network.client({ address }).write(amount, call)).rejects.toMatchObject({
      name: "Refusal",
      code: "CALLER_NOT_ALLOWED",
    });
  });

  test("401: no service token at all, before the request is even decoded", async () => {
    const { port } = await network.serve({});
    const channel = createChannel(`127.0.0.1:${port}`);
    const bare = createBareClient(ProbeDefinition, channel);
    const metadata = Metadata({ "x-tenant-id": "acme" });
    await expect(bare.read(amount, { metadata })).rejects.toMatchObject({ code: 16 });
    channel.close();
    expect(network.lines).toContainEqual(
      expect.objectContaining({ level: 40, msg: "caller turned away: a service token is required" }),
    );
  });

  const forgeries: [string, (claims: { iat: number }) => SignJWT, string][] = [
    ["another audience's token", ({ iat }) => token({ iat, aud: "identity" }), "not a service token"],
    ["an issuer that is not the key's owner", ({ iat }) => token({ iat, iss: "gateway" }), "not a service token"],
    ["another service's kid", ({ iat }) => token({ iat, kid: "gateway", iss: "gateway" }), "not a service token"],
    ["a token for several audiences", ({ iat }) => token({ iat, aud: ["ledger", "identity"] }), "not a service token"],
    ["a token that lives an hour", ({ iat }) => token({ iat, exp: iat + 3_600 }), "not a service token"],
  ];
  test.each(forgeries)("401: %s is no fault of the user and says so only in the log", async (_, forge, message) => {
    const { address } = await network.serve({});
    const key = await importJWK(network.keys.private.wallet, "EdDSA");
    const forged = await forge({ iat: Math.floor(Date.now() / 1_000) }).sign(key);
    const failure = network.client({ address, signer: fixedSigner(forged) }).read(amount, call);
    await expect(failure).rejects.toMatchObject({ name: "ClientError", code: 16 });
    await expect(failure).rejects.not.toBeInstanceOf(Refusal);
    expect(network.lines).toContainEqual(expect.objectContaining({ msg: `caller turned away: ${message}` }));
  });

  test.each([
    ["an hour behind", -3_600],
    ["an hour ahead", 3_600],
  ])("503: a caller whose clock is %s, counted and logged with its name", async (_, apartS) => {
    const { address } = await network.serve({});
    const counted = async () => {
      const { values } = await processMetrics.clocksDiffer.get();
      return values.find(({ labels }) => labels.caller === "wallet")?.value ?? 0;
    };
    const before = await counted();
    const key = await importJWK(network.keys.private.wallet, "EdDSA");
    const late = await token({ iat: Math.floor(Date.now() / 1_000) + apartS }).sign(key);
    await expect(network.client({ address, signer: fixedSigner(late) }).read(amount, call)).rejects.toMatchObject({
      name: "Refusal",
      code: "UNAVAILABLE",
      message: expect.stringMatching(
        /^the clock of wallet is \d+ s (behind|ahead of) that of the service that it calls$/,
      ),
    });
    expect(await counted()).toBe(before + 1);
    expect(network.lines).toContainEqual(
      expect.objectContaining({
        level: 50,
        caller: "wallet",
        behindS: expect.any(Number),
        msg: "the clocks of the caller and of this process differ",
      }),
    );
  });

  function token(given: { iat: number; exp?: number; aud?: string | string[]; iss?: string; kid?: string }): SignJWT {
    const { iat, exp = iat + 60, aud = "ledger", iss = "wallet", kid = "wallet" } = given;
    return new SignJWT({ iat, exp, aud, iss }).setProtectedHeader({ alg: "EdDSA", kid });
  }
});

test("a hop costs no signature: one is made and one checked for all calls of half a minute", async () => {
  const { address } = await network.serve({});
  const client = network.client({ address });
  const sign = jest.spyOn(crypto.subtle, "sign");
  const check = jest.spyOn(crypto.subtle, "verify");
  await Promise.all(Array.from({ length: 10 }, () => client.read(amount, call)));
  for (let index = 0; index < 20; index += 1) await client.read(amount, call);
  expect(sign).toHaveBeenCalledTimes(1);
  // The first ten arrive at once, before anything was checked.
  expect(check.mock.calls.length).toBeLessThanOrEqual(10);
  check.mockClear();
  await client.read(amount, call);
  expect(check).not.toHaveBeenCalled();
});

test("what the compiler refuses: an rpc without access row or handler, an int64 that is no bigint", () => {
  // @ts-expect-error -- write has no row
  const access: Access<typeof ProbeDefinition> = { read: { callers: ["wallet"] } };
  // @ts-expect-error -- write has no handler
  const handlers: ProbeHandlers = { read: async (request) => request };
  const answers: Pick<ProbeHandlers, "read"> = {
    // @ts-expect-error -- a number cannot hold every int64
    read: async () => ({ amountMinor: 12 }),
  };
  expect([access, handlers, answers]).toHaveLength(3);
});

describe("for which tenant and user", () => {
  test("400: a tenant is required and must look like one", async () => {
    const { address } = await network.serve({});
    const client = network.client({ address });
    await expect(client.read(amount, { ...call, tenantId: "" })).rejects.toMatchObject({ code: "HEADER_REQUIRED" });
    await expect(client.read(amount, { ...call, tenantId: "a/b" })).rejects.toMatchObject({ code: "HEADER_INVALID" });
  });

  test("an rpc above tenants sees none, whatever is sent", async () => {
    const { address } = await network.serve({
      access: { read: { callers: ["wallet"], tenant: "none" } },
      handlers: { read: async (_, { tenantId }) => ({ currency: `<${tenantId}>` }) },
    });
    await expect(network.client({ address }).read(amount, call)).resolves.toMatchObject({ currency: "<>" });
  });

  const serveUsers = (user: "required" | "optional" | "none", roles?: ["AGENT"]) =>
    network.serve({
      verifyUserToken,
      access: { read: { callers: ["wallet"], user, ...(roles === undefined ? {} : { roles }) } },
      handlers: { read: async (_, given) => ({ currency: `${actorOf(given)} ${given.userToken ?? "-"}` }) },
    });

  test("401: a user is required", async () => {
    const { address } = await serveUsers("required");
    await expect(network.client({ address }).read(amount, call)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    await expect(network.client({ address }).read(amount, withUser("acme.AGENT"))).resolves.toMatchObject({
      currency: "u1 acme.AGENT",
    });
  });

  test("401: the user's token is of another tenant", async () => {
    const { address } = await serveUsers("optional");
    const client = network.client({ address });
    await expect(client.read(amount, withUser("other.AGENT"))).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    await expect(client.read(amount, call)).resolves.toMatchObject({ currency: "wallet -" });
  });

  test("403 FORBIDDEN: the user's role is not among the rpc's", async () => {
    const { address } = await serveUsers("required", ["AGENT"]);
    const client = network.client({ address });
    await expect(client.read(amount, withUser("acme.CUSTOMER"))).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(client.read(amount, withUser("acme.AGENT"))).resolves.toBeDefined();
  });

  test("where no user may ride along their token is neither verified nor handed on", async () => {
    const { address } = await serveUsers("none");
    await expect(network.client({ address }).read(amount, withUser("nonsense"))).resolves.toMatchObject({
      currency: "wallet -",
    });
  });
});

describe("what is answered", () => {
  test("an unexpected error is opaque outside and logged with interaction id, tenant and rpc", async () => {
    const { address } = await network.serve({
      handlers: {
        write: async () => {
          throw new TypeError("collection wallets: secret details");
        },
      },
    });
    const failure = network.client({ address }).write(amount, call);
    await expect(failure).rejects.toMatchObject({ code: "INTERNAL", message: expect.not.stringContaining("secret") });
    expect(network.lines).toContainEqual(
      expect.objectContaining({
        level: 50,
        rpc: "probe.v1.ProbeService/Write",
        tenantId: "acme",
        caller: "wallet",
        interactionId: "i-1",
        err: expect.objectContaining({ message: "collection wallets: secret details" }),
      }),
    );
  });

  test("an int64 that is out of range is a logged bug in an answer, never another amount", async () => {
    const { address } = await network.serve({ handlers: { read: async () => ({ amountMinor: 2n ** 63n }) } });
    await expect(network.client({ address }).read(amount, call)).rejects.toMatchObject({ code: "INTERNAL" });
    expect(network.lines).toContainEqual(
      expect.objectContaining({ err: expect.objectContaining({ message: expect.stringContaining("too large") }) }),
    );
  });

  test("400 INVALID_INPUT: bytes that are no message of the request's type", async () => {
    const { port } = await network.serve({});
    const asBytes = {
      ...ProbeDefinition.methods.read,
      requestType: { encode: () => ({ finish: () => Uint8Array.of(0x0a, 0xff) }), decode: () => ({}) },
    };
    const channel = createChannel(`127.0.0.1:${port}`);
    const bare = createBareClient({ ...ProbeDefinition, methods: { read: asBytes } } as never, channel);
    const authorization = `Bearer ${await network.signerOf("wallet").tokenFor("ledger")}`;
    const metadata = Metadata({ "x-tenant-id": "acme", authorization });
    const read = (bare as unknown as Record<string, (r: object, o: object) => Promise<never>>)["read"];
    await expect(read?.({}, { metadata })).rejects.toMatchObject({ code: 3 });
    channel.close();
  });

  test("in a batch each is read, checked and answered by itself", async () => {
    const checked: bigint[][] = [];
    const { address } = await network.serve({
      batched: {
        read: {
          callers: ["wallet"],
          maxCalls: 3,
          check: (requests) => void checked.push(requests.map(({ amountMinor }) => amountMinor)),
        },
      },
    });
    const signer = network.signerOf("wallet");
    const bare = createClient(BatchServiceDefinition, { address, audience: "ledger", signer });
    const calls = [Money.encode({ amountMinor: 1n, currency: "USD" }).finish(), Uint8Array.of(0x0a, 0xff)].map(
      (request, index) => ({ interactionId: `i-${index}`, request }),
    );
    const { answers } = await bare.callBatch({ rpc: "Read", calls }, call);
    bare.close();
    const [read, unread] = answers;
    expect(Money.decode(read!.response!)).toEqual(amount);
    expect(refusalFromTrailer(unread!.refusal)?.code).toBe("INVALID_INPUT");
    expect(checked).toEqual([[1n]]);
  });

  test("a call whose caller has gone is not logged as a bug", async () => {
    const gone = new AbortController();
    let begun = (): void => undefined;
    const started = new Promise<void>((resolve) => (begun = resolve));
    let aborted: unknown;
    const { address } = await network.serve({
      handlers: {
        write: async (_, { signal }) => {
          begun();
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          aborted = signal.reason;
          throw signal.reason;
        },
      },
    });
    const failure = network.client({ address }).write(amount, { ...call, signal: gone.signal });
    await started;
    gone.abort();
    await expect(failure).rejects.toMatchObject({ name: "AbortError" });
    await nothingFor(50);
    expect(aborted).toMatchObject({ name: "AbortError" });
    expect(network.lines).toEqual([]);
  });

  test("a call without a deadline gets one of ten seconds", async () => {
    let leftMs = 0;
    const { port } = await network.serve({
      handlers: {
        read: async (request, { deadline }) => {
          leftMs = (deadline?.getTime() ?? 0) - Date.now();
          return request;
        },
      },
    });
    const channel = createChannel(`127.0.0.1:${port}`);
    const authorization = `Bearer ${await network.signerOf("wallet").tokenFor("ledger")}`;
    const metadata = Metadata({ "x-tenant-id": "acme", authorization, "x-deadline-ms": "99999999999999" });
    await createBareClient(ProbeDefinition, channel).read(amount, { metadata });
    channel.close();
    expect(leftMs).toBeGreaterThan(9_000);
    expect(leftMs).toBeLessThanOrEqual(10_000);
  });
});

describe("what cannot be started", () => {
  const start = (definition: GrpcDefinition, access: object, handlers: object, port = 0) =>
    startGrpcServer({
      service: "ledger",
      definition,
      access: access as never,
      handlers: handlers as never,
      host: "127.0.0.1",
      port,
      log: network.log,
      verifyServiceToken: async () => "wallet",
      reflection: false,
    });
  const echo = async (request: unknown) => request;
  const row = { callers: ["wallet"] };

  test("a rpc without an access row, or without a handler", async () => {
    await expect(start(ProbeDefinition, { read: row }, { read: echo, write: echo })).rejects.toThrow(/Write lacks/);
    await expect(start(ProbeDefinition, { read: row, write: row }, { read: echo })).rejects.toThrow(/Write lacks/);
  });

  test("a user who may ride along where nobody could verify them, or roles where none rides", async () => {
    const users = { read: { ...row, user: "optional" }, write: row };
    await expect(start(ProbeDefinition, users, { read: echo, write: echo })).rejects.toThrow(/no verifier/);
    const roles = { read: { ...row, roles: ["AGENT"] }, write: row };
    await expect(start(ProbeDefinition, roles, { read: echo, write: echo })).rejects.toThrow(/names roles/);
  });

  test("a streaming rpc", async () => {
    const read = { ...ProbeDefinition.methods.read, responseStream: true };
    await expect(start({ ...ProbeDefinition, methods: { read } }, { read: row }, { read: echo })).rejects.toThrow(
      /only unary/,
    );
  });

  test("a port that is taken", async () => {
    // grpc-js says it on the console as well.
    jest.spyOn(console, "error").mockImplementation(() => undefined);
    const { port } = await network.serve({});
    const both = { read: row, write: row };
    await expect(start(ProbeDefinition, both, { read: echo, write: echo }, port)).rejects.toThrow(/EADDRINUSE/);
  });
});
