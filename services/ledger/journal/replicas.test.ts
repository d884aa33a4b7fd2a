import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import {
  createLedgerFixture,
  tenantCalls,
  transfer,
  type LedgerReplica,
} from "../../../test/support/ledger-fixture.js";
import { waitFor } from "../../../test/support/index.js";
import { refusalFromTrailer } from "../../kernel/grpc/refusal-trailer.js";
import type { ServiceName } from "../../kernel/grpc/context.js";
import { outlast } from "../../../test/support/time.js";

let fixture: Awaited<ReturnType<typeof createLedgerFixture>>;
const bank = "bank_settlement:USD";

beforeAll(async () => {
  fixture = await createLedgerFixture("ledger_replicas");
});
afterAll(() => fixture.close());

const leases = () => fixture.database.db.collection<{ _id: string; address: string; epoch: bigint }>("leases");
const leaseOf = (tenantId: string) => leases().findOne({ _id: tenantId, tenantId });

async function depositOne(tenant: ReturnType<typeof tenantCalls>, replica: LedgerReplica, wallet = "w1") {
  const { posted } = await tenant.post(replica, transfer(randomUUID(), bank, wallet, 1n));
  expect(posted).toBeDefined();
}

describe("two replicas", () => {
  test("one owns the journal, the other forwards to it; the first caller's name counts", async () => {
    const [one, two] = [await fixture.start(), await fixture.start()];
    const tenant = tenantCalls();
    await tenant.open(one, ["w1"]);
    await depositOne(tenant, one);
    await depositOne(tenant, two);
    expect(await leaseOf(tenant.tenantId)).toMatchObject({ address: `127.0.0.1:${one.port}`, epoch: 1n });
    expect(await tenant.balance(two, "w1")).toBe(2n);
    // A debit by a service that does not own the code is refused through the other replica too.
    const { results } = await two.remittance.postTransfers(
      { groups: [{ transfers: [transfer(randomUUID(), "w1", bank, 1n)] }], createdBy: "u" },
      tenant.call(),
    );
    expect(results[0]!.refused).toMatchObject({ code: "NOT_ACCOUNT_OWNER" });
  });

  test("forwarding is one hop, from a replica of the ledger only, and for services that may post", async () => {
    const [one, two] = [await fixture.start(), await fixture.start()];
    const tenant = tenantCalls();
    await tenant.open(one, ["w1"]);
    await depositOne(tenant, one);
    const request = { createdBy: "u", groups: [{ transfers: [transfer(randomUUID(), bank, "w1", 1n)] }] };
    const forwarded = (replica: LedgerReplica, caller: "ledger" | "wallet", onBehalfOf: ServiceName = "wallet") =>
      replica.as(caller).postForwardedTransfers({ request, onBehalfOf }, tenant.call());
    await expect(forwarded(two, "ledger")).rejects.toMatchObject({ code: "LEASE_LOST" });
    await expect(forwarded(one, "wallet")).rejects.toMatchObject({ code: "CALLER_NOT_ALLOWED" });
    await expect(forwarded(one, "ledger", "gateway")).rejects.toMatchObject({ code: "CALLER_NOT_ALLOWED" });
    expect(await forwarded(one, "ledger")).toMatchObject({ results: [{ posted: { replayed: false } }] });
    const together = (replica: LedgerReplica, caller: "ledger" | "wallet", onBehalfOf: ServiceName = "wallet") =>
      replica
        .as(caller)
        .batch("postForwardedTransfers", [{ interactionId: "i", request: { request, onBehalfOf } }], tenant.call());
    const codeOf = ([answer]: Awaited<ReturnType<typeof together>>) => refusalFromTrailer(answer!.refusal)?.code;
    expect(codeOf(await together(two, "ledger"))).toBe("LEASE_LOST");
    await expect(together(one, "wallet")).rejects.toMatchObject({ code: "CALLER_NOT_ALLOWED" });
    expect(codeOf(await together(one, "ledger", "gateway"))).toBe("CALLER_NOT_ALLOWED");
    expect(await together(one, "ledger")).toMatchObject([{ response: { results: [{ posted: { replayed: true } }] } }]);
  });

  test("what many callers of the other replica post at once is decided each by itself", async () => {
    const [one, two] = [await fixture.start(), await fixture.start()];
    const tenant = tenantCalls();
    await tenant.open(one, ["w1", "w2"]);
    await tenant.post(one, transfer("fund", bank, "w1", 1_000n));
    const results = await Promise.all(
      Array.from({ length: 150 }, (_, n) => tenant.post(two, transfer(`k${n}`, "w1", "w2", 10n))),
    );
    expect(results.filter(({ posted }) => posted !== undefined)).toHaveLength(100);
    expect(results.filter(({ refused }) => refused?.code === "INSUFFICIENT_FUNDS")).toHaveLength(50);
    expect([await tenant.balance(two, "w1"), await tenant.balance(two, "w2")]).toEqual([0n, 1_000n]);
  });

  test("stopping releases the journal at once, and nobody who asked is lost", async () => {
    // A lease this long could only pass on by release.
    const env = { LEASE_TTL_MS: "60000" };
    const [one, two] = [await fixture.start(env), await fixture.start(env)];
    const tenant = tenantCalls();
    await tenant.open(one, ["w1"]);
    await depositOne(tenant, one);
    let posted = 0;
    let stopping = true;
    const client = async () => {
      while (stopping) {
        await depositOne(tenant, two);
        posted++;
      }
    };
    const clients = Promise.all([client(), client(), client(), client()]);
    await waitFor(() => posted > 20);
    await one.stop();
    const before = posted;
    await waitFor(() => posted > before + 20);
    stopping = false;
    await clients;
    expect(await leaseOf(tenant.tenantId)).toMatchObject({ address: `127.0.0.1:${two.port}`, epoch: 2n });
    expect(await tenant.balance(two, "w1")).toBe(BigInt(posted + 1));
  });

  test("an owner that vanished is followed when its lease is over", async () => {
    const two = await fixture.start();
    const tenant = tenantCalls();
    await tenant.open(two, ["w1"]);
    // What a process killed with -9 leaves behind: a lease of an address where nobody listens.
    await leases().insertOne({
      _id: tenant.tenantId,
      tenantId: tenant.tenantId,
      address: "127.0.0.1:1",
      holder: "gone",
      epoch: 7n,
      until: new Date(Date.now() + 700),
      sessionIds: [],
    } as never);
    const startedAt = performance.now();
    await depositOne(tenant, two);
    expect(performance.now() - startedAt).toBeGreaterThan(500);
    expect(await leaseOf(tenant.tenantId)).toMatchObject({ address: `127.0.0.1:${two.port}`, epoch: 8n });
  });

  test("an owner that was asleep past its lease is fenced off and forwards from then on", async () => {
    const [one, two] = [await fixture.start(), await fixture.start()];
    const tenant = tenantCalls();
    await tenant.open(one, ["w1"]);
    await depositOne(tenant, one);
    // Its renewals come too late: another replica takes over while it still thinks that it owns the
    // journal.
    await leases().updateOne({ _id: tenant.tenantId, tenantId: tenant.tenantId }, { $set: { until: new Date(0) } });
    await depositOne(tenant, two);
    expect(await leaseOf(tenant.tenantId)).toMatchObject({ address: `127.0.0.1:${two.port}`, epoch: 2n });
    await Promise.all(Array.from({ length: 20 }, (_, n) => depositOne(tenant, n % 2 === 0 ? one : two)));
    expect(await leaseOf(tenant.tenantId)).toMatchObject({ epoch: 2n });
    expect(await tenant.balance(one, "w1")).toBe(22n);
  });

  test("an owner that hangs is not waited for beyond its lease", async () => {
    const two = await fixture.start({ LEASE_TTL_MS: "500" });
    const tenant = tenantCalls();
    await tenant.open(two, ["w1"]);
    // Accepts connections and never answers, as a process does that was stopped.
    const hanging = createServer().listen(0, "127.0.0.1");
    await once(hanging, "listening");
    const { port } = hanging.address() as AddressInfo;
    await leases().insertOne({
      _id: tenant.tenantId,
      tenantId: tenant.tenantId,
      address: `127.0.0.1:${port}`,
      holder: "asleep",
      epoch: 1n,
      until: new Date(Date.now() + 500),
      sessionIds: [],
    } as never);
    const startedAt = performance.now();
    await depositOne(tenant, two);
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    hanging.close();
  });

  test("leases in use are renewed; a journal that nobody uses is given up", async () => {
    const one = await fixture.start({ JOURNAL_IDLE_MS: "1500", LEASE_TTL_MS: "300" });
    const tenant = tenantCalls();
    await tenant.open(one, ["w1"]);
    await depositOne(tenant, one);
    await outlast(700);
    await depositOne(tenant, one);
    expect(await leaseOf(tenant.tenantId)).toMatchObject({ epoch: 1n });
    await waitFor(async () => (await leaseOf(tenant.tenantId))?.address === "");
    await depositOne(tenant, one);
    expect(await leaseOf(tenant.tenantId)).toMatchObject({ epoch: 2n });
  });
});

test("the first postings of a tenant come through both replicas at once", async () => {
  const [one, two] = [await fixture.start(), await fixture.start()];
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      const tenant = tenantCalls();
      await Promise.all([one, two].map((replica) => tenant.open(replica, ["w1"])));
      const results = await Promise.all(
        [one, two].map((replica) => tenant.post(replica, transfer(randomUUID(), bank, "w1", 1n))),
      );
      expect(results.map(({ posted }) => posted?.replayed)).toEqual([false, false]);
    }),
  );
});

test("a duplicate sent to both replicas at once posts once", async () => {
  const [one, two] = [await fixture.start(), await fixture.start()];
  const tenant = tenantCalls();
  await tenant.open(one, ["w1"]);
  for (let round = 0; round < 20; round++) {
    const deposit = transfer(randomUUID(), bank, "w1", 1n);
    const results = await Promise.all([one, two, one, two].map((replica) => tenant.post(replica, deposit)));
    expect(results.filter(({ posted }) => posted?.replayed === false)).toHaveLength(1);
  }
  expect(await tenant.balance(two, "w1")).toBe(20n);
});
