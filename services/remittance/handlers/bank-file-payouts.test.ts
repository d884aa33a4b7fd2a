import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import type { PayoutOutcome } from "../../../proto/gen/remittance/v1/remittance.js";
import { invalidInput } from "../../kernel/refusal.js";
import { sandboxIdOf } from "../../platform/sandbox/sandbox.js";
import { bankConfiguration, startFileBanks, type FileBank } from "../../../test/support/file-bank.js";
import { waitFor as waitShortly } from "../../../test/support/index.js";
import { insist } from "../../../test/support/insist.js";
import { createPayoutWorld, type Paid, type PayoutWorld } from "../../../test/support/payout-fixture.js";
import { cashier, manager, on, refused } from "../../../test/support/remittance-calls.js";
import { asksIdentityAnew } from "../../../test/support/time.js";
import { bankIdOf } from "../clients/bank-files/names.js";

let banks: Awaited<ReturnType<typeof startFileBanks>>;
let world: PayoutWorld;
let tenantId: string;
let id: string;
let bank: FileBank;
beforeAll(async () => {
  banks = await startFileBanks();
  world = await createPayoutWorld("bankfiles", { PLUGIN_FILES_DIR: banks.root }, { fileRestMs: 0 });
});
beforeEach(async () => {
  tenantId = await world.tenant(sandboxIdOf(`t${randomUUID().slice(0, 8)}`));
  id = randomUUID();
  bank = banks.of(id);
  world.plugins.install(tenantId, { installationId: id, type: "iso20022", configuration: bankConfiguration });
  await test_(tenantId);
});
afterEach(() => world.reset());
afterAll(async () => {
  await world.close();
  await banks.stop();
});

jest.setTimeout(240_000);

const waitFor = <T>(ask: () => T | Promise<T>) => waitShortly(ask, { timeoutMs: 100_000 });
const test_ = (of: string) => insist(() => world.pluginOwner.testPlugin({ installationId: id }, on(of, manager)));
const naira = { currency: "NGN", amount: "160000.00" } as const;

/** A payout that the bank has taken. */
async function taken(mode: "REAL_TIME" | "AGGREGATION" = "REAL_TIME") {
  const paid = await world.paid(tenantId, undefined, { processingMode: `PROCESSING_MODE_${mode}` });
  const [file] = await waitFor(async () => {
    const files = await bank.take();
    return files.length > 0 ? files : undefined;
  });
  return { paid, endToEndId: bankIdOf(paid.transactionId), file: file! };
}

test("its test passes, of a live tenant too: nothing is ordered by it", async () => {
  expect(world.plugins.testsOf(id)).toMatchObject([{ hasPassed: true }]);
  const live = await world.tenant();
  world.plugins.install(live, { installationId: id, type: "iso20022", configuration: bankConfiguration });
  await test_(live);
  expect(world.plugins.testsOf(id)[1]?.checks.map(({ result }) => result)).toEqual(Array(4).fill("PASSED"));
  expect(await bank.list("out")).toEqual([]);
});

test("a payout is handed over as a file, settled by a status report, and reconciled by the statement", async () => {
  const { paid, endToEndId, file } = await taken();
  expect(file.transfers).toMatchObject([{ endToEndId, ...naira }]);
  await waitFor(async () => (await world.find(tenantId, paid.transactionId)).payout?.acceptedAt !== undefined);
  await bank.report(file.messageId, [{ endToEndId, status: "ACSC" }]);
  const done = await world.until(paid, "COMPLETED");
  expect(done.payout?.installationId).toBe(id);
  await waitFor(async () => (await world.openRows(tenantId)) === 0);
  expect(await world.money(paid)).toMatchObject({ clearing: 0n, partner: 160_000_00n });
  expect(await world.statement(tenantId)).toEqual([]);
  await bank.statement([{ endToEndId, ...naira, kind: "DEBIT" }]);
  const compare = () => insist(() => world.operator.reconcilePayouts({ cursor: "" }, on(tenantId)));
  await waitFor(async () => (await compare()).statementLines === 1);
  expect(await compare()).toMatchObject({ statementLines: 1, transactions: 1, differences: [] });
  await waitFor(() => world.plugins.callsOf(id).some(({ operation }) => operation === "read-file"));
  expect(world.plugins.callsOf(id).find(({ operation }) => operation === "submit")).toMatchObject({
    reference: paid.transactionId,
    outcome: "OK",
  });
});

describe("an order for which the policy asks members", () => {
  const installed = (part: object) => ({
    installationId: id,
    type: "iso20022",
    configuration: { ...bankConfiguration, purposes: { family: "FAMI" }, ...part },
  });
  beforeEach(() => {
    const known = {
      placeOfBirth: { city: "Enugu", country: "NGA" },
      identityDocuments: [{ type: "PASSPORT", number: "A01234567", country: "NGA", expiresAt: "" }],
    };
    world.people.shown = ({ details, ...customer }) => ({ ...customer, details: { ...details, ...known } });
  });
  const born = /<DtAndPlcOfBirth><BirthDt>1990-04-30</;
  const document = /<Othr><Id>[^<]+<.Id><SchmeNm><Cd>CCPT</;

  test.each([
    ["SEPA", ["DATE_OF_BIRTH", "PURPOSE"], [true, false]],
    ["SEPA", ["IDENTITY_DOCUMENT_DETAILS", "ADDRESS_OR_BIRTH"], [false, true]],
    ["URGP", ["IDENTITY_DOCUMENT_DETAILS", "DATE_OF_BIRTH", "PLACE_OF_BIRTH"], [true, true]],
  ])("says by %s what is asked of %j, and what it said is read", async (serviceLevel, members, said) => {
    world.plugins.install(tenantId, { ...installed({ serviceLevel }), revision: 2 });
    world.told.members = members;
    const { paid, file } = await taken();
    expect([born.test(file.text), document.test(file.text)]).toEqual(said);
    expect(file.text).toContain("<Purp><Cd>FAMI</Cd></Purp>");
    const { transactionId } = paid;
    const { sent } = await world.gateway.getTransparency({ transactionId }, on(tenantId, manager));
    expect([sent?.originator?.dateOfBirth !== "", sent?.originator?.document !== undefined]).toEqual(said);
    expect([sent?.originator?.nationality, sent?.sourceOfFunds, sent?.purpose]).toEqual(["", "", "family"]);
  });

  test.each([
    ["a nationality", ["NATIONALITY"], {}],
    ["where the funds come from", ["ORDER_SOURCE_OF_FUNDS"], {}],
    ["a purpose without a code", ["PURPOSE"], { purposes: {} }],
    ["a birth beside a document, at SEPA", ["DATE_OF_BIRTH", "IDENTITY_DOCUMENT_DETAILS"], {}],
  ])(
    "passes a bank by whose file has no place for %s; it goes to whom it can be said",
    async (_what, members, part) => {
      const at = { ...installed(part), revision: 2, routes: [{ priority: 1 }] };
      world.plugins.install(tenantId, at);
      world.told.members = members;
      const paid = await world.paid(tenantId);
      const { transactionId } = paid;
      await waitFor(async () => (await world.find(tenantId, transactionId)).payout?.noCarrierSince);
      const other = { installationId: randomUUID(), url: world.partner.url, routes: [{ priority: 9 }] };
      world.plugins.install(tenantId, at, { ...other, configuration: { contract: 2 } });
      const done = await world.until(paid, "COMPLETED");
      expect([done.payout?.installationId, await bank.list("out")]).toEqual([other.installationId, []]);
    },
  );

  test("and one whose town a file has no room for pass the bank by for whoever has it", async () => {
    world.people.shown = ({ details, ...customer }) => ({
      ...customer,
      details: { ...details, address: { lines: [], city: "щ".repeat(20), country: "UKR" } },
    });
    const at = { ...installed({}), revision: 2, routes: [{ priority: 1 }] };
    const other = { installationId: randomUUID(), url: world.partner.url, routes: [{ priority: 9 }] };
    world.plugins.install(tenantId, at, { ...other, configuration: { contract: 2 } });
    const done = await world.until(await world.paid(tenantId), "COMPLETED");
    expect([done.payout?.installationId, await bank.list("out")]).toEqual([other.installationId, []]);
  });

  test("leaves a batch of a bank whose file has no place for them any more", async () => {
    world.plugins.install(tenantId, { ...installed({}), revision: 2 });
    world.told.members = ["PURPOSE"];
    let isPutDown = false;
    world.told.beforePayoutAnswer = async () => {
      const batched = { tenantId, "payout.batchId": { $exists: true } };
      if (isPutDown || (await world.db.collection("transactions").findOne(batched)) === null) return;
      isPutDown = true;
      world.plugins.install(tenantId, { ...installed({ purposes: {} }), revision: 3 });
      await asksIdentityAnew();
    };
    const { transactionId } = await world.paid(tenantId, undefined, {
      processingMode: "PROCESSING_MODE_AGGREGATION",
    });
    await waitFor(async () => (await world.find(tenantId, transactionId)).payout?.noCarrierSince);
    expect([isPutDown, await bank.list("out")]).toEqual([true, []]);
  });
});

test("a payout waits while the directory is not mounted, with nothing made at its mount point, and goes on afterwards", async () => {
  const paid = await banks.unmounted(async () => {
    const one = await world.paid(tenantId);
    await waitFor(() => world.plugins.callsOf(id).some(({ reference }) => reference === one.transactionId));
    expect(await readdir(banks.root)).toEqual([]);
    return one;
  });
  const [file] = await waitFor(async () => {
    const files = await bank.take();
    return files.length > 0 ? files : undefined;
  });
  const endToEndId = bankIdOf(paid.transactionId);
  expect(file!.transfers).toMatchObject([{ endToEndId, ...naira }]);
  await bank.report(file!.messageId, [{ endToEndId, status: "ACSC" }]);
  await world.until(paid, "COMPLETED");
});

test("a payout that the bank refuses is refunded, with its reason", async () => {
  const { paid, endToEndId, file } = await taken();
  await bank.report(file.messageId, [{ endToEndId, status: "RJCT", reason: "AC04" }]);
  const done = await world.until(paid, "REFUNDED");
  expect(done.timeline.map(({ reason }) => reason)).toContain("AC04: the account is closed");
});

test("a payout that comes back weeks later is refunded less what a bank kept", async () => {
  const { paid, endToEndId } = await taken();
  await bank.statement([{ endToEndId, ...naira, kind: "DEBIT" }]);
  await world.until(paid, "COMPLETED");
  await bank.statement([{ endToEndId, currency: "NGN", amount: "159000.00", kind: "RETURN" }]);
  const done = await world.until(paid, "REFUNDED");
  expect(done.payout).toMatchObject({ outcome: "RETURNED", kept: { minor: 1_000_00n, currency: "NGN" } });
});

describe("what ends nothing waits for two persons", () => {
  /** Handed in, and what the bank said then is in the queue. */
  async function unclear(...reports: { status: string; reason?: string }[]) {
    const one = await taken();
    const { paid, endToEndId, file } = one;
    for (const report of reports) await bank.report(file.messageId, [{ endToEndId, ...report }]);
    await waitFor(async () => (await world.find(tenantId, paid.transactionId)).payout?.unclear !== undefined);
    return one;
  }
  const ask = ({ transactionId }: Paid, outcome: string, part: object = {}, user: object = manager) =>
    world.gateway.askPayoutOutcome(
      { idempotencyKey: randomUUID(), transactionId, outcome, kept: "", reason: "the bank says so", ...part },
      on(tenantId, user as typeof manager),
    );
  const decide = ({ transactionId }: Paid, { outcomeId, approvalId }: PayoutOutcome, status = "APPROVED") =>
    world.decide(
      tenantId,
      { approvalId, status, decidedBy: "MA2", kind: "PAYOUT_OUTCOME" },
      { transactionId, outcomeId },
    );
  const agreed = async (paid: Paid, outcome: string, part: object = {}) =>
    decide(paid, (await insist(() => ask(paid, outcome, part))).outcome!);

  test("a refusal of a copy refunds nothing: it is paid once a second person says so", async () => {
    const { paid } = await unclear({ status: "RJCT", reason: "DU04" });
    expect((await world.money(paid)).clearing).toBe(100_00n);
    const listed = await insist(() => world.gateway.listTransactions({ unclear: true }, on(tenantId, manager)));
    expect(listed.transactions.map(({ transactionId }) => transactionId)).toContain(paid.transactionId);
    const { outcome } = await insist(() => ask(paid, "PAID"));
    expect((await refused(ask(paid, "REFUSED"))).code).toBe("STATE_CONFLICT");
    const { noted } = await decide(paid, outcome!);
    expect(noted).toEqual([`PAYOUT_ENDED transaction:${paid.transactionId} 160000.00 NGN outcome:  → PAID`]);
    const done = await world.until(paid, "COMPLETED");
    expect(done.payout?.unclear).toBeUndefined();
    expect(done.timeline.at(-1)).toMatchObject({ status: "COMPLETED", actor: "MA2" });
    expect(await world.money(paid)).toMatchObject({ clearing: 0n, partner: 160_000_00n });
  });

  test("so does a debit of another amount after the bank had said that it paid", async () => {
    const { paid, endToEndId, file } = await taken();
    await bank.report(file.messageId, [{ endToEndId, status: "ACSC" }]);
    await world.until(paid, "COMPLETED");
    await bank.statement([{ endToEndId, ...naira, amount: "159000.00", kind: "DEBIT" }]);
    const noted = () => world.find(tenantId, paid.transactionId);
    const { payout } = await waitFor(async () => ((await noted()).payout?.unclear === undefined ? undefined : noted()));
    expect(payout?.unclear?.said).toContain("booked a debit of 159000.00 NGN");
  });

  test("so does what a file says whose reader died once it had read it", async () => {
    const { paid, endToEndId, file } = await taken();
    await bank.report(file.messageId, [{ endToEndId, status: "ACSC" }]);
    await world.until(paid, "COMPLETED");
    const { bankFiles } = world.store.forTenant(tenantId);
    const { transactionId: reference } = paid;
    const report = { installationId: id, fileId: "died", reason: "DU04", entryReference: "" };
    const at = new Date();
    await bankFiles.addReports([
      { ...report, line: 1, reference, kind: "STATUS", status: "DUPLICATE", readAt: at, at },
    ]);
    const read = { fileName: "died.xml", kind: "pain.002.001.10", messageId: "died", state: "READ" as const };
    await bankFiles.insertFile({ ...report, ...read, at, toHint: true });
    await waitFor(async () => (await world.find(tenantId, reference)).payout?.unclear !== undefined);
    await waitFor(async () => (await bankFiles.listToHint(id, 10)).length === 0);
  });

  test("so does a debit after the bank had refused it and its money went back", async () => {
    const { paid, endToEndId, file } = await taken();
    await bank.report(file.messageId, [{ endToEndId, status: "RJCT", reason: "AC04" }]);
    await world.until(paid, "REFUNDED");
    await bank.statement([{ endToEndId, ...naira, kind: "DEBIT" }]);
    const listed = () => insist(() => world.gateway.listTransactions({ unclear: true }, on(tenantId, manager)));
    const [one] = await waitFor(async () => {
      const { transactions } = await listed();
      return transactions.length > 0 ? transactions : undefined;
    });
    expect(one).toMatchObject({ transactionId: paid.transactionId, status: "REFUNDED" });
    const { payout } = await world.find(tenantId, paid.transactionId);
    expect(payout?.unclear?.said).toBe("paid it after it had refused it");
  });

  test("one that is REFUSED by two persons is refunded in full", async () => {
    const { paid } = await unclear({ status: "ACSP" }, { status: "RJCT", reason: "AC04" });
    await agreed(paid, "REFUSED");
    await world.until(paid, "REFUNDED");
    expect((await world.money(paid)).short).toBe(0n);
  });

  test("one that is RETURNED by two persons is refunded less what was kept", async () => {
    const { paid } = await unclear({ status: "ACSC" }, { status: "RJCT", reason: "AC04" });
    const { noted } = await agreed(paid, "RETURNED", { kept: "1000.00" });
    const ended = `PAYOUT_ENDED transaction:${paid.transactionId} 160000.00 NGN`;
    expect(noted).toEqual([`${ended} kept:  → 1000.00 NGN`, `${ended} outcome:  → RETURNED`]);
    const done = await world.until(paid, "REFUNDED");
    expect(done.payout).toMatchObject({ outcome: "RETURNED", kept: { minor: 1_000_00n, currency: "NGN" } });
  });

  test("a word that identity does not take to ask about is nobody's, and another one may be said at once", async () => {
    const { paid } = await unclear({ status: "RJCT", reason: "AM05" });
    const { mayAsk } = world.people;
    world.people.mayAsk = () => {
      throw invalidInput("summary", "is none");
    };
    const refusal = await refused(ask(paid, "PAID")).finally(() => (world.people.mayAsk = mayAsk));
    expect(refusal.code).toBe("INVALID_INPUT");
    expect((await world.find(tenantId, paid.transactionId)).payout?.unclear?.asked).toBeUndefined();
    await agreed(paid, "PAID");
    await world.until(paid, "COMPLETED");
  });

  test("refuses by field what a second person could not decide, and whoever is no manager", async () => {
    const { paid } = await unclear({ status: "RJCT", reason: "AM05" });
    const code = async (outcome: string, part: object, user: object = manager) =>
      refused(ask(paid, outcome, part, user)).then(({ code: of, details }) => [of, details?.errors?.[0]?.path ?? ""]);
    expect(await code("LOST", {})).toEqual(["INVALID_INPUT", "outcome"]);
    expect(await code("RETURNED", { kept: "160000.01" })).toEqual(["INVALID_INPUT", "kept"]);
    expect(await code("RETURNED", { kept: "1.001" })).toEqual(["INVALID_INPUT", "kept"]);
    expect(await code("PAID", { kept: "1.00" })).toEqual(["INVALID_INPUT", "kept"]);
    expect(await code("PAID", { reason: "a bell: \u0007" })).toEqual(["INVALID_INPUT", "reason"]);
    expect((await code("PAID", {}, cashier))[0]).toBe("FORBIDDEN");
    const { outcome } = await insist(() => ask(paid, "PAID"));
    await decide(paid, outcome!, "REFUSED");
    expect((await world.find(tenantId, paid.transactionId)).payout?.unclear?.asked).toBeUndefined();
    await agreed(paid, "PAID");
    await world.until(paid, "COMPLETED");
  });
});

test("a batch is one file, of which each payout ends by itself", async () => {
  const mode = { processingMode: "PROCESSING_MODE_AGGREGATION" as const };
  const both = [await world.paid(tenantId, undefined, mode), await world.paid(tenantId, undefined, mode)];
  // The second one may have come when the first one's batch had closed.
  await waitFor(async () => (await world.db.collection("bank_orders").countDocuments({ tenantId })) === 2);
  const batches = new Set(
    await Promise.all(
      both.map(async ({ transactionId }) => (await world.find(tenantId, transactionId)).payout?.batchId),
    ),
  );
  const files = await waitFor(async () => {
    const found = await bank.list("out");
    return found.length === batches.size ? bank.take() : undefined;
  });
  const ids = both.map(({ transactionId }) => bankIdOf(transactionId));
  const handedOver = files.flatMap(({ transfers }) => transfers.map(({ endToEndId }) => endToEndId));
  expect(handedOver.toSorted()).toEqual(ids.toSorted());
  const reports = ids.map((endToEndId, index) => ({ endToEndId, status: index === 0 ? "ACSC" : "RJCT" }));
  await bank.report(files[0]!.messageId, reports);
  await world.until(both[0]!, "COMPLETED");
  await world.until(both[1]!, "REFUNDED");
});

test("a cancellation comes too late for what the bank has, and waits for what it says", async () => {
  const { paid, endToEndId, file } = await taken();
  await insist(() => world.cancel(paid, "late"));
  await waitFor(() => world.plugins.callsOf(id).some(({ operation }) => operation === "recall"));
  expect((await world.find(tenantId, paid.transactionId)).status).toBe("CANCELLING");
  await bank.report(file.messageId, [{ endToEndId, status: "ACSC" }]);
  await world.until(paid, "COMPLETED");
});

test("a sandbox's manager is told that files say how a payout ends", async () => {
  const { paid } = await taken();
  const settle = { transactionId: paid.transactionId, outcome: "PAID", reason: "" };
  const answer = await refused(world.sandbox.payouts.settlePayout(settle, on(tenantId, manager)));
  expect(answer).toMatchObject({ code: "STATE_CONFLICT" });
});
