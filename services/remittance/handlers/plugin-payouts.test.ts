import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { randomUUID } from "node:crypto";
import { sandboxIdOf } from "../../platform/sandbox/sandbox.js";
import { waitFor as waitShortly } from "../../../test/support/index.js";
import { createPayoutWorld, type PayoutWorld } from "../../../test/support/payout-fixture.js";
import { partnerKey, startSandboxPartner } from "../../../test/support/payout-partner.js";
import { manager, on } from "../../../test/support/remittance-calls.js";
import { asksIdentityAnew } from "../../../test/support/time.js";

type Own = Awaited<ReturnType<typeof startSandboxPartner>>;

let world: PayoutWorld;
let own: Own;
let tenantId: string;
beforeAll(async () => {
  world = await createPayoutWorld("plugins", {}, { releaseAfterMs: 500 });
  own = await startSandboxPartner();
});
beforeEach(async () => {
  tenantId = await world.tenant(sandboxIdOf(`t${randomUUID().slice(0, 8)}`));
});
afterEach(async () => {
  await own.unforce();
  await world.reset();
  world.plugins.seen.isAway = false;
});
afterAll(async () => {
  await world.close();
  await own.stopPartner();
  await own.removeBooks();
});

jest.setTimeout(180_000);

const waitFor = <T>(ask: () => T | Promise<T>) => waitShortly(ask, { timeoutMs: 80_000 });
const settled = async () => (await waitFor(async () => (await world.openRows(tenantId)) === 0), undefined);
const install = (part: object = {}, ...more: object[]) =>
  world.plugins.install(tenantId, ...[part, ...more].map((one) => ({ installationId: id, url: own.url, ...one })));
let id: string;
beforeEach(() => {
  id = randomUUID();
});
const partnerOf = async (transactionId: string) => (await world.find(tenantId, transactionId)).payout?.installationId;
const references = async (partner: { statement: Own["statement"] }) =>
  (await partner.statement(tenantId)).map(({ reference }) => reference);

describe("a payout of a tenant with a partner of its own", () => {
  test("goes there, is settled in the ledger, and the operator's hears nothing of it; its calls are noted", async () => {
    install();
    const paid = await world.paid(tenantId);
    await world.until(paid, "COMPLETED");
    await settled();
    expect(await partnerOf(paid.transactionId)).toBe(id);
    expect(await references(own)).toEqual([paid.transactionId]);
    expect(await references(world)).toEqual([]);
    expect(await world.money(paid)).toMatchObject({ clearing: 0n, partner: 160_000_00n });
    await waitFor(() => world.plugins.callsOf(id).length > 0);
    const submitted = world.plugins.callsOf(id).find(({ operation }) => operation === "submit");
    expect(submitted).toMatchObject({ reference: paid.transactionId, status: 200, outcome: "OK" });
    const recorded = JSON.stringify(world.plugins.seen.calls) + world.network.lines.join("");
    expect(recorded).not.toContain("key-of-the-test-partner");
    expect(recorded).not.toContain("bankaccountno");
  });

  test("goes to the operator's default where no route fits", async () => {
    install({ routes: [{ receivingCountry: "GHA" }] });
    const paid = await world.paid(tenantId);
    await world.until(paid, "COMPLETED");
    expect(await partnerOf(paid.transactionId)).toBeUndefined();
    expect(await references(world)).toEqual([paid.transactionId]);
  });

  test("each partner is owed in an account of its own, by name; what comes back, the one that paid it is owed less", async () => {
    const second = randomUUID();
    const apart = { installationId: second, configuration: { account: second } };
    const ofSecond = { ...apart, name: "Second Bank", routes: [{ priority: 2 }] };
    const [rest, none] = [{ ...apart, status: "PAUSED" }, { routes: [{ receivingCountry: "GHA" }] }];
    const owed = async () => {
      const { accounts } = await world.books.listAccounts({ code: "partner_settlement" }, on(tenantId));
      const of = accounts.map(({ accountId, name, metadata, creditsPostedMinor, debitsPostedMinor }) => {
        return [accountId, [name, metadata["partner"], creditsPostedMinor - debitsPostedMinor]];
      });
      return Object.fromEntries(of);
    };
    install({ name: "First Pay" }, ofSecond);
    const byFirst = await world.paid(tenantId);
    await world.until(byFirst, "COMPLETED");
    await world.until(await world.paid(tenantId), "COMPLETED");
    // The first takes nothing new, and then neither does the second.
    install({ ...none, name: "Renamed" }, ofSecond);
    await asksIdentityAnew();
    await world.until(await world.paid(tenantId), "COMPLETED");
    install(none, rest);
    await asksIdentityAnew();
    await world.until(await world.paid(tenantId), "COMPLETED");
    await settled();
    const one = 160_000_00n;
    expect(await owed()).toEqual({
      [`partner_settlement:${id}:NGN`]: ["Owed to First Pay NGN", id, 2n * one],
      [`partner_settlement:${second}:NGN`]: ["Owed to Second Bank NGN", second, one],
      "partner_settlement:operator:NGN": ["Owed to the operator's partner NGN", "operator", one],
    });
    const { transactionId } = byFirst;
    await world.sandbox.payouts.returnPayout({ transactionId, kept: "100" }, on(tenantId, manager));
    await world.until(byFirst, "REFUNDED");
    expect(await owed()).toMatchObject({
      [`partner_settlement:${id}:NGN`]: ["Owed to First Pay NGN", id, one + 100_00n],
      [`partner_settlement:${second}:NGN`]: ["Owed to Second Bank NGN", second, one],
      "partner_settlement:operator:NGN": ["Owed to the operator's partner NGN", "operator", one],
    });
    const { differences } = await world.operator.reconcilePayouts({ cursor: "" }, on(tenantId));
    expect(differences).toEqual([]);
  });

  test("names the account that the partner has for us", async () => {
    install({ configuration: { account: "acme-payouts" } });
    const paid = await world.paid(tenantId);
    await world.until(paid, "COMPLETED");
    expect(await own.statement("acme-payouts")).toMatchObject([{ reference: paid.transactionId }]);
  });

  test.each(["PAUSED", "REMOVING"])("ends there once it is %s, and nothing new goes there", async (status) => {
    install();
    const paid = await world.paid(tenantId, undefined, {});
    await own.unforce();
    await waitFor(async () => (await partnerOf(paid.transactionId)) !== undefined);
    install({ status });
    await world.until(paid, "COMPLETED");
    await waitFor(async () => {
      const next = await world.paid(tenantId);
      await world.until(next, "COMPLETED");
      return (await partnerOf(next.transactionId)) === undefined;
    });
    expect(await references(own)).toContain(paid.transactionId);
  });

  test("waits where its partner cannot be resolved any more: refused nowhere, sent nowhere else", async () => {
    install();
    await own.force({ behaviour: "ACCEPT", settleMs: 1_500, account: tenantId });
    const paid = await world.paid(tenantId);
    await waitFor(async () => (await world.find(tenantId, paid.transactionId)).payout?.acceptedAt !== undefined);
    world.plugins.install(tenantId);
    const errors = () => world.network.lines.filter((line) => line.includes(`plugin ${id} is not there`));
    await waitFor(() => errors().length > 0);
    expect((await world.find(tenantId, paid.transactionId)).status).toBe("PROCESSING");
    expect(await references(world)).toEqual([]);
    install();
    await world.until(paid, "COMPLETED");
  });

  test("waits while a secret of its partner is missing: nobody is asked as a stranger, and it goes on once it is given", async () => {
    install();
    await own.force({ behaviour: "ACCEPT", settleMs: 1_500, account: tenantId });
    const paid = await world.paid(tenantId);
    await waitFor(async () => (await world.find(tenantId, paid.transactionId)).payout?.acceptedAt !== undefined);
    let received = 0;
    const stranger = createServer((_request, response) => {
      received += 1;
      response.writeHead(404, { "content-type": "application/json" }).end("{}");
    });
    await new Promise<void>((listening) => stranger.listen(0, "127.0.0.1", listening));
    const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    install({ url, status: "PAUSED", secrets: {}, missingSecrets: ["apiKey"], revision: 2 });
    const why = `plugin ${id} is not called without its secret apiKey`;
    await waitFor(() => received > 0 || world.network.lines.some((line) => line.includes(why)));
    expect(received).toBe(0);
    const { status, payout } = await world.find(tenantId, paid.transactionId);
    expect([status, payout?.heldAt]).toEqual(["PROCESSING", undefined]);
    expect(await references(world)).toEqual([]);
    install({ status: "PAUSED", revision: 3 });
    await world.until(paid, "COMPLETED");
    await new Promise((closed) => stranger.close(closed));
  });

  test("is paid once where the answer is lost, and refunded where it refuses", async () => {
    install();
    await own.force({ behaviour: "LOSE_ANSWER", account: tenantId, times: 1 });
    const lost = await world.paid(tenantId);
    await world.until(lost, "COMPLETED");
    expect(await references(own)).toEqual([lost.transactionId]);
    await own.force({ behaviour: "REFUSE", account: tenantId, times: 1 });
    const refused = await world.paid(tenantId);
    await world.until(refused, "REFUNDED");
    expect(await references(own)).toEqual([lost.transactionId]);
  });

  test("is recalled there", async () => {
    install();
    await own.force({ behaviour: "STALL", account: tenantId });
    const paid = await world.paid(tenantId);
    await waitFor(async () => (await world.find(tenantId, paid.transactionId)).payout?.acceptedAt !== undefined);
    await world.cancel(paid);
    await world.until(paid, "REFUNDED");
    expect(await own.atPartner(paid)).toBe("RECALLED");
  });

  test("waits for a window, and goes with a batch of that partner alone", async () => {
    install({ routes: [{ method: "ACCOUNTPAYMENT" }] });
    const mode = (name: "NONE_AGGREGATION" | "AGGREGATION") => ({ processingMode: `PROCESSING_MODE_${name}` as const });
    const windowed = await world.paid(tenantId, undefined, mode("NONE_AGGREGATION"));
    const batched = [
      await world.paid(tenantId, undefined, mode("AGGREGATION")),
      await world.paid(tenantId, undefined, mode("AGGREGATION")),
    ];
    for (const one of [windowed, ...batched]) await world.until(one, "COMPLETED");
    expect((await references(own)).toSorted()).toEqual(
      [windowed, ...batched].map(({ transactionId }) => transactionId).toSorted(),
    );
    const batchIds = await Promise.all(
      batched.map(async ({ transactionId }) => (await world.find(tenantId, transactionId)).payout?.batchId),
    );
    const batch = await world.store.forTenant(tenantId).findBatch(batchIds[0]!);
    expect(batch).toMatchObject({ installationId: id, state: "SENT" });
  });

  test("leaves a batch whose partner takes nothing new any more", async () => {
    install();
    const paid = await world.paid(tenantId, undefined, { processingMode: "PROCESSING_MODE_AGGREGATION" });
    const joined = await waitFor(async () => (await world.find(tenantId, paid.transactionId)).payout?.batchId);
    install({ status: "PAUSED" });
    const done = await world.until(paid, "COMPLETED");
    // Unless the batch went out before the pause was known here.
    if (done.payout?.installationId === undefined) expect(done.payout?.batchId).not.toBe(joined);
    expect([...(await references(own)), ...(await references(world))]).toEqual([paid.transactionId]);
  });

  test("that came back is heard of by its statement, without callbacks; a sandbox's manager sends it back there", async () => {
    install();
    world.callbacks.lose(true);
    const paid = await world.paid(tenantId);
    await world.until(paid, "COMPLETED");
    const { transactionId } = paid;
    await world.sandbox.payouts.returnPayout({ transactionId, kept: "100" }, on(tenantId, manager));
    await world.until(paid, "REFUNDED");
    expect(await own.atPartner(paid)).toBe("RETURNED");
  });

  test("is reconciled against its own partner's statement", async () => {
    install();
    const paid = await world.paid(tenantId);
    await world.until(paid, "COMPLETED");
    await settled();
    const ask = () => world.operator.reconcilePayouts({ cursor: "" }, on(tenantId));
    expect(await ask()).toMatchObject({ statementLines: 1, transactions: 1, differences: [] });
    // The operator's default has paid it too.
    const headers = { authorization: `Bearer ${partnerKey}`, "x-account": tenantId };
    const order = { reference: paid.transactionId, amount: "160000.00", currency: "NGN", method: "ACCOUNTPAYMENT" };
    const body = JSON.stringify({ ...order, creditParty: {} });
    await fetch(`${world.partner.url}/v1/payouts`, { method: "POST", headers, body });
    await waitFor(async () => (await references(world)).length > 0);
    expect((await ask()).differences).toMatchObject([{ kind: "PAID_TWICE", reference: paid.transactionId }]);
    // Nobody can be asked about what a partner paid that is gone.
    world.plugins.install(tenantId);
    // Asked while it is being forgotten, it is a partner that is away.
    await waitFor(async () => (await ask().catch(() => undefined))?.statementLines === 1);
    expect((await ask()).differences).not.toMatchObject([{ kind: "COMPLETED_NOT_AT_PARTNER" }]);
  });
});

describe("while identity is away", () => {
  test("a new payout waits, and one that was handed over to the default goes on", async () => {
    const handed = await world.paid(tenantId, { behaviour: "ACCEPT", settleMs: 1_500 });
    await waitFor(async () => (await world.find(tenantId, handed.transactionId)).payout?.acceptedAt !== undefined);
    world.plugins.seen.isAway = true;
    await asksIdentityAnew();
    const waiting = await world.paid(tenantId);
    await world.until(handed, "COMPLETED");
    expect((await world.find(tenantId, waiting.transactionId)).status).toBe("PAID");
    world.plugins.seen.isAway = false;
    await world.until(waiting, "COMPLETED");
  });
});

describe("a partner that hangs", () => {
  let hanging: Server;
  let url: string;
  const held: ServerResponse[] = [];
  let most = 0;
  beforeAll(async () => {
    hanging = createServer((_request, response) => {
      held.push(response);
      most = Math.max(most, held.length);
      response.on("close", () => held.splice(held.indexOf(response), 1));
    });
    await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    hanging.closeAllConnections();
    hanging.close();
  });

  test("has 8 calls under way at most, and another tenant's payouts go on meanwhile", async () => {
    install({ url, configuration: { timeoutMs: 30_000 } });
    const made = [];
    for (let each = 0; each < 20; each += 1) made.push(await world.debit(tenantId, await world.create(tenantId)));
    await Promise.all(made.map(world.markPaid));
    await waitFor(() => held.length === 8);
    const other = await world.tenant();
    for (let each = 0; each < 3; each += 1) {
      const paid = await world.paid(other);
      await world.until(paid, "COMPLETED");
    }
    expect([held.length, most]).toEqual([8, 8]);
    // Those beyond have not been tried, so they are not behind when there is room.
    const rows = await world.db.collection("outbox").find({ tenantId, state: "DUE", kind: "payout.drive" }).toArray();
    expect(rows).toHaveLength(20);
    install({ revision: 2 });
    for (const response of held) response.destroy();
    for (const one of made) await world.until(one, "COMPLETED");
    expect((await references(own)).toSorted()).toEqual(made.map(({ transactionId }) => transactionId).toSorted());
  });

  test("is passed over by new payouts while its breaker is open; what it was handed stays with it", async () => {
    const second = randomUUID();
    install({ url, configuration: { timeoutMs: 100 } }, { installationId: second, routes: [{ priority: 2 }] });
    const first = await world.paid(tenantId);
    await waitFor(async () => (await partnerOf(first.transactionId)) === id);
    await waitFor(async () => {
      const paid = await world.paid(tenantId);
      await waitFor(async () => (await world.find(tenantId, paid.transactionId)).status !== "PAID");
      return (await partnerOf(paid.transactionId)) === second;
    });
    expect(await partnerOf(first.transactionId)).toBe(id);
    await waitFor(() => world.plugins.seen.calls.some((one) => one.installationId === id && one.breaker === "OPEN"));
    expect(world.plugins.callsOf(id).every(({ outcome, status }) => outcome === "UNKNOWN" && status === 0)).toBe(true);
  });
});

describe("a partner on its way out", () => {
  test("is let go once nothing is under way there, and not before", async () => {
    install();
    await world.pluginOwner.testPlugin({ installationId: id }, on(tenantId, manager));
    await own.force({ behaviour: "STALL", account: tenantId });
    const paid = await world.paid(tenantId);
    await waitFor(async () => (await world.find(tenantId, paid.transactionId)).payout?.acceptedAt !== undefined);
    install({ status: "REMOVING" });
    const watched = () => world.db.collection("watched_installations").findOne({ tenantId, installationId: id });
    await waitFor(async () => {
      const seen = await watched();
      return seen?.["removingAt"] !== undefined && Date.now() - seen["removingAt"].getTime() > 2_500;
    });
    expect(world.plugins.seen.released).not.toContain(id);
    await world.cancel(paid);
    await world.until(paid, "REFUNDED");
    await waitFor(() => world.plugins.seen.released.includes(id));
    await waitFor(async () => (await watched()) === null);
  });
});
