import { randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { EntrySide, LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import { ManualJournalServiceDefinition } from "../../proto/gen/ledger/v1/manual_journals.js";
import { PartnerServiceDefinition } from "../../proto/gen/ledger/v1/partners.js";
import { PeriodServiceDefinition } from "../../proto/gen/ledger/v1/periods.js";
import { PositionServiceDefinition } from "../../proto/gen/ledger/v1/positions.js";
import { SettlementServiceDefinition, type Settlement } from "../../proto/gen/ledger/v1/settlements.js";
import { ApprovalOutcomeServiceDefinition } from "../../proto/gen/identity/v1/approvals.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { storedJournal } from "../../services/ledger/audit/stored-journal.js";
import { verifyJournal } from "../../services/ledger/audit/verify.js";
import { declaredCrashPoints } from "../support/crash-points.js";
import { atDepth } from "../support/depth.js";
import { createInsistence } from "../support/insist.js";
import { testTenant, waitFor } from "../support/index.js";
import { transfer } from "../support/ledger-fixture.js";
import { onceUp, startLedgerProcesses, type LedgerProcesses } from "../support/ledger-processes.js";
import { createFaults } from "../support/rpc-faults.js";
import { createStandInIdentity } from "../support/stand-in-identity.js";

jest.setTimeout(240_000);

// Once at each point in CI; BOOKS_ROUNDS=13 are 200 kills and more.
const rounds = atDepth({ quick: 1, ci: 1, long: 13 }, "BOOKS_ROUNDS");

const books = ["settlement", "manual-journal", "position", "revaluation", "closing", "package", "partner-alarm"];
const points = declaredCrashPoints("ledger").filter((name) => books.includes(name.split(".")[1]!));
const [partner, bank] = ["partner_settlement:p1:USD", "own_bank:chase:USD"];
const [naira, short] = ["partner_settlement:p1:NGN", "exchange_position:NGN"];
const casesOf = (...of: string[]) =>
  points
    .filter((point) => of.includes(point.split(".")[1]!))
    .flatMap((point) => Array.from({ length: rounds }, (_, round) => [point, round] as const));
const insist = createInsistence({
  passing: ["UNAVAILABLE", "DEADLINE_EXCEEDED", "IDEMPOTENCY_IN_FLIGHT", "INTERNAL"],
  timeoutMs: 60_000,
});

let processes: LedgerProcesses;
let signing: Awaited<ReturnType<typeof userKeys>>;
const identity = createStandInIdentity(createFaults());
const tenants: string[] = [];
let killed = 0;

beforeAll(async () => {
  signing = await userKeys();
  processes = await startLedgerProcesses("books", { CRASH_LEASE_MS: "1000", WARM_UP_S: "0" }, undefined, false, {
    ...identity.handlers,
    getJwks: async () => ({ jwksJson: JSON.stringify(signing.jwks) }),
    checkRevocation: async () => ({ revoked: false }),
  });
});
afterAll(async () => {
  process.stdout.write(`books: ${killed} kills in ${tenants.length} tenants\n`);
  await processes?.close();
});

/** Both chains, every balance and sum, and each link of what was posted. */
afterEach(async () => {
  const tenantId = tenants.at(-1);
  if (tenantId === undefined) return;
  const { faults } = await processes.withStore(tenantId, (store) => verifyJournal(storedJournal(store, tenantId)));
  expect(faults).toEqual([]);
});

async function userKeys() {
  const { publicKey, privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "user-key", alg: "EdDSA", use: "sig" }] };
  const sign = (tenantId: string) =>
    new SignJWT({ sid: "session-1", role: "MANAGER" })
      .setProtectedHeader({ alg: "EdDSA", kid: "user-key", typ: "JWT" })
      .setIssuer("manilla")
      .setAudience(tenantId)
      .setSubject("manager-1")
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(privateKey);
  return { jwks, sign };
}

/** A tenant that owes a partner 10.00 in two lines. */
async function owing() {
  const tenantId = testTenant();
  tenants.push(tenantId);
  const call = () => outgoing({ tenantId, interactionId: randomUUID() });
  const userToken = await signing.sign(tenantId);
  const asManager = () => outgoing({ tenantId, interactionId: randomUUID(), userToken });
  const [replica] = processes.replicas;
  const settlements = processes.clientOf(SettlementServiceDefinition, replica, "gateway");
  const outcomes = processes.clientOf(ApprovalOutcomeServiceDefinition, replica, "identity");
  const remittance = processes.clientOf(LedgerServiceDefinition, replica, "remittance");
  const journals = processes.clientOf(ManualJournalServiceDefinition, replica, "gateway");
  const positions = processes.clientOf(PositionServiceDefinition, replica, "gateway");
  const elsewhere = processes.clientOf(PositionServiceDefinition, processes.replicas[1], "gateway");
  const rates = processes.clientOf(PositionServiceDefinition, replica, "remittance");
  const periods = processes.clientOf(PeriodServiceDefinition, replica, "gateway");
  const partners = processes.clientOf(PartnerServiceDefinition, replica, "gateway");
  const gateway = processes.clientOf(LedgerServiceDefinition, replica, "gateway");
  const ids = [partner, naira, "remittance_clearing:USD", "fee_income:USD", "exchange_position:USD", short];
  const accounts = ids.map((accountId) => {
    return { accountId, code: accountId.split(":")[0]!, currency: accountId.split(":").at(-1)!, name: accountId };
  });
  await onceUp(() => remittance.createAccounts({ accounts }, call()));
  const own = { idempotencyKey: "bank", code: "own_bank", currency: "USD", name: "Chase" };
  await insist(() => gateway.openBookAccount(own, asManager()));
  const groups = [400n, 600n].map((minor, at) => ({
    transfers: [transfer(`owed-${at}`, "remittance_clearing:USD", partner, minor)],
  }));
  await onceUp(() => remittance.postTransfers({ groups, createdBy: "remittance" }, call()));
  return {
    call,
    asManager,
    settlements,
    journals,
    positions,
    elsewhere,
    rates,
    periods,
    partners,
    outcomes,
    remittance,
    tenantId,
    ledger: gateway,
  };
}

/** The replicas as they are told to be: whoever was killed comes back. */
async function revived(): Promise<number> {
  let kills = 0;
  for (const replica of processes.replicas) {
    if (replica.child.isRunning()) continue;
    kills += 1;
    await replica.start();
  }
  return kills;
}

/** Has both replicas killed at the point, and started again, until the work is done. */
async function killing(point: string, work: () => Promise<void>): Promise<void> {
  let kills = 0;
  let reviving = Promise.resolve();
  const revive = async () => void (kills += await revived());
  const timer = setInterval(() => (reviving = reviving.then(revive)), 500);
  try {
    for (const replica of processes.replicas) replica.crashAt(point);
    await work();
    // Whoever dies behind the last write has done the work before anybody sees that it is dead.
    await waitFor(() => kills > 0, { timeoutMs: 30_000, what: `a kill at ${point}` });
    killed += kills;
  } finally {
    clearInterval(timer);
    await reviving;
    for (const replica of processes.replicas) replica.crashAt("");
    await revived();
  }
}

test("each point of the books is one that this test kills at", () => {
  expect(points.toSorted()).toEqual([
    "ledger.closing.prepared",
    "ledger.closing.written",
    "ledger.closing.year-moved",
    "ledger.manual-journal.approved",
    "ledger.manual-journal.noted",
    "ledger.manual-journal.posted",
    "ledger.package.kept",
    "ledger.package.read",
    "ledger.partner-alarm.told",
    "ledger.partner-alarm.turned",
    "ledger.position.counted",
    "ledger.position.posted",
    "ledger.revaluation.posted",
    "ledger.revaluation.stored",
    "ledger.settlement.accounts-made",
    "ledger.settlement.lines-freed",
    "ledger.settlement.lines-taken",
    "ledger.settlement.posted",
    "ledger.settlement.proposed",
    "ledger.settlement.reversal-proposed",
    "ledger.settlement.reversed",
  ]);
});

test.each(casesOf("settlement"))("killed at %s (%i), it is posted once and reversed once", async (point) => {
  const world = await owing();
  await killing(point, async () => {
    const request = {
      idempotencyKey: randomUUID(),
      kind: "SETTLEMENT_KIND_PARTNER" as const,
      accountId: partner,
      amount: "10.00",
      currency: "USD",
      cost: { amount: "10.50", currency: "USD" },
      fee: "0.50",
      bankAccountId: bank,
      valueDate: new Date().toISOString().slice(0, 10),
      reference: "WIRE-1",
      lines: { throughDate: new Date().toISOString().slice(0, 10) },
    };
    const proposed = await insist(() => world.settlements.proposeSettlement(request, world.asManager()));
    const { settlementId, approvalId } = proposed.settlement!;
    await decide(world, approvalId);
    const posted = await ended(world, settlementId, "POSTED");
    expect(posted).toMatchObject({ status: "SETTLEMENT_STATUS_POSTED", lineCount: 2 });
    expect(await balances(world, partner, bank, "partner_fees:p1:USD")).toEqual([0n, 1_050n, -50n]);
    const asked = { idempotencyKey: randomUUID(), settlementId, reason: "it was another's" };
    const reversal = await insist(() => world.settlements.reverseSettlement(asked, world.asManager()));
    await decide(world, reversal.settlement!.reversal!.approvalId);
    await ended(world, settlementId, "REVERSED");
    expect(await balances(world, partner, bank, "partner_fees:p1:USD")).toEqual([1_000n, 0n, 0n]);
    await waitFor(async () => ((await openLines(world)) === 2 ? true : undefined), { what: "both lines open" });
  });
});

test.each(casesOf("manual-journal"))(
  "killed at %s (%i), a journal is posted once and taken back once",
  async (point) => {
    const world = await owing();
    await killing(point, async () => {
      const line = (accountId: string, side: "DEBIT" | "CREDIT") => ({
        accountId,
        side: EntrySide[`ENTRY_SIDE_${side}`],
        amount: "12.00",
        currency: "USD",
      });
      const lines = [line("bank_fees:USD", "DEBIT"), line(bank, "CREDIT")];
      const request = { idempotencyKey: randomUUID(), lines, reason: "paid by cheque" };
      const written = await insist(() => world.journals.writeManualJournal(request, world.asManager()));
      const { journalId, approvalId } = written.journal!;
      await decide(world, approvalId);
      await journalPosted(world, journalId);
      expect(await balances(world, "bank_fees:USD", bank)).toEqual([-1_200n, 1_200n]);
      const asked = { idempotencyKey: randomUUID(), journalId, reason: "was wrong" };
      const back = await insist(() => world.journals.reverseManualJournal(asked, world.asManager()));
      await decide(world, back.journal!.approvalId);
      await journalPosted(world, back.journal!.journalId);
      expect(await balances(world, "bank_fees:USD", bank)).toEqual([0n, 0n]);
    });
  },
);

test.each(casesOf("position"))("killed at %s (%i), what a position won is posted once", async (point) => {
  const world = await owing();
  const ngn = { amount: { amountMinor: 15_257_500n, currency: "NGN" } };
  const groups = [
    [
      transfer("sold:1", "remittance_clearing:USD", "exchange_position:USD", 10_000n),
      transfer("sold:2", short, naira, 0n, ngn),
    ],
    [
      transfer("bought:1", naira, short, 0n, ngn),
      transfer("bought:2", "exchange_position:USD", "remittance_clearing:USD", 9_940n),
    ],
  ].map((transfers) => ({ transfers }));
  await onceUp(() => world.remittance.postTransfers({ groups, createdBy: "remittance" }, world.call()));
  await killing(point, async () => {
    for (const _again of [1, 2]) {
      const { positions } = await insist(() => world.positions.getPositions({}, world.asManager()));
      expect(positions).toMatchObject([{ currency: "NGN", quantityMinor: 0n, realisedMinor: 60n }]);
      expect(await balances(world, "fx_result:USD", "exchange_position:USD")).toEqual([60n, 0n]);
    }
  });
});

test.each(casesOf("revaluation"))("killed at %s (%i), a day is revalued once and taken back once", async (point) => {
  const world = await owing();
  const at = new Date(Date.now() - 86_400_000);
  const day = at.toISOString().slice(0, 10);
  const sold = [
    transfer("sold:1", "remittance_clearing:USD", "exchange_position:USD", 10_000n, { effectiveAt: at }),
    transfer("sold:2", short, naira, 0n, { amount: { amountMinor: 15_257_500n, currency: "NGN" }, effectiveAt: at }),
  ];
  await onceUp(() =>
    world.remittance.postTransfers({ groups: [{ transfers: sold }], createdBy: "remittance" }, world.call()),
  );
  const rate = { fromCurrency: "USD", toCurrency: "NGN", rate: "1600", source: "ECB", at, day, isDayEnd: true };
  await killing(point, async () => {
    await insist(() => world.rates.recordMiddleRates({ rates: [rate] }, world.call()));
    for (const _again of [1, 2]) {
      // At both replicas at once, beside what each does by itself.
      const both = await Promise.all(
        [world.positions, world.elsewhere].map((positions) => {
          const request = { idempotencyKey: randomUUID(), day };
          return insist(() => positions.revaluePositions(request, world.asManager()));
        }),
      );
      for (const { revaluation } of both) {
        expect(revaluation).toMatchObject({ rounds: 1, positions: [{ costMinor: -10_000n, worthMinor: -9_536n }] });
      }
      // On the day by 4.64, and back on the next.
      expect(await balances(world, "fx_result:USD", "exchange_position:USD")).toEqual([0n, 10_000n]);
      const asked = { accountId: "fx_result:USD", effectiveDate: day };
      const atDayEnd = await insist(() => world.ledger.getBalance(asked, world.asManager()));
      expect(atDayEnd.creditsPostedMinor! - atDayEnd.debitsPostedMinor!).toBe(464n);
    }
  });
});

test.each(casesOf("partner-alarm"))(
  "killed at %s (%i), an alarm is told once, and once that it is over",
  async (point) => {
    const world = await owing();
    const { partners, remittance, asManager, call } = world;
    const told = async () => {
      const rows = await processes.withDatabase((db) =>
        db.collection("outbox").find({ tenantId: world.tenantId }).sort({ _id: 1 }).toArray(),
      );
      const payloads = rows.map(({ payload }) => payload as { type?: string; dataJson?: string });
      return payloads.flatMap(({ type = "", dataJson = "{}" }) =>
        type.startsWith("partner.") ? [[type, (JSON.parse(dataJson) as { available: string }).available]] : [],
      );
    };
    const low = ["partner.balance_low", "-10.00"];
    const over = ["partner.balance_restored", "-4.00"];
    const untilTold = (...expected: string[][]) =>
      waitFor(async () => (JSON.stringify(await told()) === JSON.stringify(expected) ? true : undefined), {
        timeoutMs: 60_000,
        what: JSON.stringify(expected),
      });
    await killing(point, async () => {
      const alarm = { idempotencyKey: randomUUID(), accountId: partner, below: "-5.00" };
      await insist(() => partners.putPartnerAlarm(alarm, asManager()));
      await untilTold(low);
    });
    await killing(point, async () => {
      const paid = { transfers: [transfer("paid", partner, "remittance_clearing:USD", 600n)] };
      await insist(() => remittance.postTransfers({ groups: [paid], createdBy: "remittance" }, call()));
      await untilTold(low, over);
    });
  },
);

test.each(casesOf("closing", "package"))(
  "killed at %s (%i), a year is closed once, its result moved once, and its package built",
  async (point) => {
    const world = await owing();
    const year = new Date().getUTCFullYear() - 1;
    const effectiveAt = new Date(Date.UTC(year, 11, 31, 12));
    const fee = transfer("fee", "remittance_clearing:USD", "fee_income:USD", 250n, { effectiveAt });
    await onceUp(() =>
      world.remittance.postTransfers({ groups: [{ transfers: [fee] }], createdBy: "remittance" }, world.call()),
    );
    await killing(point, async () => {
      const request = { idempotencyKey: randomUUID(), period: String(year) };
      const { closing } = await insist(() => world.periods.closeBooks(request, world.asManager()));
      expect(closing).toMatchObject({ number: 1, throughDate: `${year}-12-31` });
      const number = 1;
      await waitFor(
        async () => {
          const found = await insist(() => world.periods.getClosing({ number }, world.asManager()));
          return found.closing!.packageStatus === "PACKAGE_STATUS_DONE" ? true : undefined;
        },
        { timeoutMs: 60_000, what: "the package" },
      );
      expect(await balances(world, "fee_income:USD", "retained_earnings:USD")).toEqual([0n, 250n]);
      const { closings } = await insist(() => world.periods.listClosings({}, world.asManager()));
      expect(closings).toHaveLength(1);
    });
  },
);

type World = Awaited<ReturnType<typeof owing>>;

async function decide({ outcomes, call }: World, approvalId: string): Promise<void> {
  const asked = identity.state.approvals.find(({ approval }) => approval.approvalId === approvalId)!;
  const approval = { ...asked.approval, status: "APPROVED", decidedBy: "manager-2", decidedAt: new Date() };
  await insist(() => outcomes.decideApproval({ approval, payloadJson: asked.payloadJson }, call()));
}

const ended = ({ settlements, asManager }: World, settlementId: string, status: string): Promise<Settlement> =>
  waitFor(
    async () => {
      const { settlement } = await insist(() => settlements.getSettlement({ settlementId }, asManager()));
      const isOver = ["REFUSED", status].some((one) => settlement!.status === `SETTLEMENT_STATUS_${one}`);
      return isOver ? settlement : undefined;
    },
    { timeoutMs: 60_000, what: status },
  );

/** Credits less debits. */
async function balances({ call, remittance }: World, ...accountIds: string[]): Promise<bigint[]> {
  const { accounts } = await insist(() => remittance.getAccounts({ accountIds }, call()));
  const of = new Map(accounts.map((each) => [each.accountId, each.creditsPostedMinor - each.debitsPostedMinor]));
  return accountIds.map((accountId) => of.get(accountId) ?? 0n);
}

const journalPosted = ({ journals, asManager }: World, journalId: string) =>
  waitFor(
    async () => {
      const { journal } = await insist(() => journals.getManualJournal({ journalId }, asManager()));
      return journal!.status === "MANUAL_JOURNAL_STATUS_POSTED" ? true : undefined;
    },
    { timeoutMs: 60_000, what: "the journal" },
  );

async function openLines({ settlements, asManager }: World): Promise<number> {
  const { lines } = await insist(() => settlements.listOpenLines({ accountId: partner }, asManager()));
  return lines.length;
}
