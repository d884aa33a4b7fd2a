import { randomUUID } from "node:crypto";
import { createLedgerFixture, tenantCalls, transfer } from "../../../test/support/ledger-fixture.js";
import type { LedgerReplica, WireTransfer } from "../../../test/support/ledger-fixture.js";
import { batchPostings } from "../../platform/neighbours/posting-batches.js";
import { refusalFromTrailer } from "../../kernel/grpc/refusal-trailer.js";
import { storedJournal } from "../audit/stored-journal.js";
import { createLedgerStore } from "../store/index.js";
import { verifyJournal } from "../audit/verify.js";

let fixture: Awaited<ReturnType<typeof createLedgerFixture>>;
let ledger: LedgerReplica;
const bank = "bank_settlement:USD";

beforeAll(async () => {
  fixture = await createLedgerFixture("ledger_gathered");
  ledger = await fixture.start();
});
afterAll(() => fixture.close());

async function opened() {
  const tenant = tenantCalls();
  await tenant.open(ledger, ["w1", "w2"]);
  return tenant;
}

const posting = (interactionId: string, createdBy: string, ...transfers: WireTransfer[]) => ({
  interactionId,
  request: { groups: [{ transfers }], createdBy },
});

test("each posting is decided, told and kept as its own caller's", async () => {
  const tenant = await opened();
  const postings = [
    posting("i-1", "ada", transfer("a", bank, "w1", 100n)),
    posting("i-2", "bob", transfer("b", "w1", "w2", 60n)),
    posting("i-3", "eve", transfer("c", "w1", "w2", 60n)),
  ];
  const answers = await ledger.wallet.batch("postTransfers", postings, tenant.call());
  expect(answers.map(({ response }) => response!.results[0])).toMatchObject([
    { posted: { transfers: [{ key: "a", sequence: 1n }] } },
    { posted: { transfers: [{ key: "b", debitBalanceMinor: 40n }] } },
    { refused: { code: "INSUFFICIENT_FUNDS", transferKey: "c", availableMinor: 40n } },
  ]);
  const { entries } = await ledger.wallet.listEntriesByInteraction({ interactionId: "i-2" }, tenant.call());
  expect(entries.map(({ createdBy, transferId }) => [createdBy, transferId])).toEqual([
    ["bob", "b"],
    ["bob", "b"],
  ]);
  const again = await ledger.wallet.batch("postTransfers", postings, tenant.call());
  expect(again.map(({ response }) => response!.results[0])).toMatchObject([
    { posted: { replayed: true } },
    { posted: { replayed: true } },
    { refused: { replayed: true } },
  ]);
});

test("bad input is refused for its caller alone, and written for nobody", async () => {
  const tenant = await opened();
  const good = () => posting("i", "ada", transfer(randomUUID(), bank, "w1", 1n));
  const postings = [
    good(),
    posting("i", "ada", transfer("a key with spaces", bank, "w1", 1n)),
    posting("not an id!", "ada", transfer("x", bank, "w1", 1n)),
    { interactionId: "i", request: {} },
    posting("i", "ada"),
    good(),
  ];
  const answers = await ledger.wallet.batch("postTransfers", postings, tenant.call());
  expect(answers.map(({ refusal }) => refusalFromTrailer(refusal)?.message)).toEqual([
    undefined,
    expect.stringMatching(/^groups\[0\]\.transfers\[0\]\.key: /),
    expect.stringMatching(/^calls\[2\]\.interaction_id: /),
    expect.stringMatching(/^groups: must hold at least one group/),
    expect.stringMatching(/^groups\[0\]\.transfers: /),
    undefined,
  ]);
  expect(await tenant.balance(ledger, "w1")).toBe(2n);
});

test("TOO_MANY_TRANSFERS for 1,001 in all; only services that own accounts may", async () => {
  const tenant = await opened();
  const one = (n: number) => transfer(`k${n}`, bank, "w1", 1n);
  const postings = Array.from({ length: 501 }, (_, n) =>
    n === 0 ? posting("i", "ada", one(0)) : posting("i", "ada", one(2 * n - 1), one(2 * n)),
  );
  await expect(ledger.wallet.batch("postTransfers", postings, tenant.call())).rejects.toMatchObject({
    code: "TOO_MANY_TRANSFERS",
  });
  await expect(ledger.as("gateway").batch("postTransfers", [], tenant.call())).rejects.toMatchObject({
    code: "CALLER_NOT_ALLOWED",
  });
  // Whose accounts they are is decided of each: remittance may not debit the wallet's bank.
  const [first] = postings;
  const answers = await ledger.as("remittance").batch("postTransfers", [first!], tenant.call());
  expect(answers[0]!.response!.results[0]).toMatchObject({ refused: { code: "NOT_ACCOUNT_OWNER" } });
});

test("200 callers at once through the gathering client, half of them twice: each key once, all add up", async () => {
  const tenant = await opened();
  await tenant.post(ledger, transfer("fund", bank, "w1", 1_000n));
  const { postTransfers } = batchPostings(ledger.wallet);
  const requested = Array.from({ length: 200 }, (_, n) => `k${n % 150}`);
  const answers = await Promise.all(
    requested.map((key) => {
      const request = { groups: [{ transfers: [transfer(key, "w1", "w2", 10n)] }], createdBy: "ada" };
      return postTransfers(request, tenant.call());
    }),
  );
  const posted = requested.filter((_, n) => answers[n]!.results[0]!.posted !== undefined);
  expect(new Set(posted).size).toBe(100);
  expect([await tenant.balance(ledger, "w1"), await tenant.balance(ledger, "w2")]).toEqual([0n, 1_000n]);
  const store = createLedgerStore(fixture.database.db).forTenant(tenant.tenantId);
  expect((await verifyJournal(storedJournal(store, tenant.tenantId))).faults).toEqual([]);
});
