import fc from "fast-check";
import { compareBooks } from "../../services/remittance/domain/reconcile.js";
import { payoutOf } from "../../services/remittance/domain/payout.js";
import type { Transaction, TransactionStatus } from "../../services/remittance/domain/transaction.js";
import { parseMoney } from "../../services/kernel/money.js";
import { atDepth } from "../support/depth.js";
import { terms } from "../support/transactions.js";
import { createTape, type Tape } from "./payout-world/schedule.js";
import { walletAccountId } from "./payout-world/payer.js";
import { createWorld, type World } from "./payout-world/world.js";

// As many as PAYOUT_HISTORIES says.
const histories = atDepth({ quick: 400, ci: 2_000, long: 100_000 }, "PAYOUT_HISTORIES");
const start = new Date("2026-05-01T12:00:00Z");
const recipientAccountId = "wallet-2";
const usd = (minor: bigint) => ({ minor, currency: "USD" });

/** A transaction that compliance has approved and that waits for its payment. */
function payable(tape: Tape): Transaction {
  const isDirect = tape.choose(6) === 5;
  const isToWallet = tape.choose(4) === 3;
  const receive = isDirect ? usd(100_00n) : { minor: 152_575_00n, currency: "NGN" };
  return {
    transactionId: "t-1",
    transactionCode: "MN0000000001",
    version: 2,
    status: "AWAITING_PAYMENT",
    deliveryMethod: isToWallet ? "WALLET" : tape.choose(3) === 2 ? "CASH_PICKUP" : "ACCOUNTPAYMENT",
    ...(isToWallet && { recipientWallet: { accountId: recipientAccountId, customerId: "c2" } }),
    processingMode: (["REAL_TIME", "AGGREGATION", "NONE_AGGREGATION"] as const)[tape.choose(3)]!,
    price: {
      principal: usd(100_00n),
      fees: [],
      totalFees: usd(2_50n),
      totalTaxes: usd(19n),
      total: usd(102_69n),
      receive,
      rate: isDirect ? "1" : "1525.75",
      inclusive: false,
    },
    rateId: "r1",
    corridorVersion: 1,
    terms,
    sender: { customerId: "c1", customerCode: "C-1", name: "Ada", country: "USA" },
    recipient: { customerId: "c1", customerCode: "B-1", name: "Ngozi", country: "NGA" },
    beneficiaryId: "b1",
    creditParty: [
      { key: "bankaccountno", value: "3001234567" },
      { key: "accountholdername", value: "Ngozi" },
    ],
    creditPartySource: "BENEFICIARY",
    transferInformation: { originCountry: "USA", receivingCountry: "NGA", remittancePurpose: "", sourceOfFunds: "" },
    descriptionText: "",
    ipAddress: "",
    compliance: { decision: "APPROVED", reasonCode: "", message: "", outstandingRequirements: [], policyVersion: 1 },
    releasedPayments: [],
    interactionId: "i-0",
    createdAt: start,
    availableOn: "2026-12-01",
    createdBy: "u1",
    createdByRole: "CUSTOMER",
    searchWords: [],
    expiresAt: new Date(start.getTime() + 30 * 60_000),
    timeline: [{ status: "AWAITING_PAYMENT", at: start, actor: "compliance", reason: "" }],
    request: { caller: "u1", key: "k1", fingerprint: "f" },
  };
}

/** From each state, where a transaction may go; docs/decisions/0006-transactions-and-payouts.md. */
const ways: Partial<Record<TransactionStatus, TransactionStatus[]>> = {
  AWAITING_PAYMENT: ["PAYING", "EXPIRED", "CANCELLED", "BLOCKED"],
  PAYING: ["PAID", "AWAITING_PAYMENT"],
  PAID: ["PROCESSING", "CANCELLING", "BLOCKED"],
  PROCESSING: ["READY_FOR_PICKUP", "COMPLETED", "FAILED", "CANCELLING", "BLOCKED"],
  READY_FOR_PICKUP: ["COMPLETED", "FAILED", "CANCELLING", "BLOCKED"],
  CANCELLING: ["COMPLETED", "REFUNDED", "BLOCKED"],
  COMPLETED: ["RETURNED"],
  FAILED: ["REFUNDED", "BLOCKED"],
  RETURNED: ["REFUNDED", "BLOCKED"],
  BLOCKED: [
    // The sender's wish, which counts once the block is released.
    "BLOCKED",
    "AWAITING_PAYMENT",
    "CANCELLED",
    "PAID",
    "PROCESSING",
    "READY_FOR_PICKUP",
    "CANCELLING",
    "FAILED",
    "RETURNED",
    // It was faster than the block.
    "COMPLETED",
    "REFUNDED",
  ],
};

function checkEnd(world: World): void {
  const transaction = world.current();
  expect(world.officer.isOver()).toBe(true);
  const open = world.outbox.rows().filter(world.outbox.isOpen);
  expect(open.map(({ kind, state, lastError }) => ({ kind, state, lastError }))).toEqual([]);
  for (const [at, { status }] of transaction.timeline.slice(1).entries()) {
    expect(ways[transaction.timeline[at]!.status] ?? []).toContain(status);
  }
  expect(world.hits.handedOver).toEqual([]);
  checkNames(world, transaction);
  checkMoney(world, transaction);
  checkPublished(world, transaction);
  checkEvents(world, transaction);
}

/** Of amendments and hand-overs one has won: what went out is what the transaction says. */
function checkNames({ partner }: World, { creditParty, amendments = [], recipientWallet }: Transaction): void {
  for (const party of partner.handed) expect(party).toEqual(creditParty);
  const names = ["Ngozi", ...amendments.map(({ after }) => after.accountHolderName)];
  expect(amendments.map(({ before }) => before.accountHolderName)).toEqual(names.slice(0, -1));
  expect(creditParty.at(-1)!.value).toBe(names.at(-1));
  if (recipientWallet !== undefined) expect(amendments).toEqual([]);
}

function checkMoney({ ledger, partner, opening }: World, transaction: Transaction): void {
  const { price } = transaction;
  const lines = partner.books.allLines;
  const moved = ledger.balance(walletAccountId) - opening;
  const books = {
    paid: lines.filter(({ kind }) => kind === "PAYOUT").length,
    returned: lines.filter(({ kind }) => kind === "RETURN").length,
  };
  expect(ledger.balance("remittance_clearing:USD")).toBe(0n);
  if (transaction.recipientWallet !== undefined) {
    const isDelivered = transaction.status === "COMPLETED";
    expect(books).toEqual({ paid: 0, returned: 0 });
    expect(ledger.balance(recipientAccountId)).toBe(isDelivered ? price.receive.minor : 0n);
    expect(moved).toBe(isDelivered ? -price.total.minor : 0n);
    return;
  }
  const { refunded } = payoutOf(transaction);
  switch (transaction.status) {
    case "CANCELLED":
    case "EXPIRED":
    // A payment that failed gave it back; nobody tried again.
    case "AWAITING_PAYMENT":
      expect({ moved, books }).toEqual({ moved: 0n, books: { paid: 0, returned: 0 } });
      break;
    case "COMPLETED":
      expect({ moved, books }).toEqual({ moved: -price.total.minor, books: { paid: 1, returned: 0 } });
      break;
    case "REFUNDED": {
      expect(books.paid).toBe(books.returned);
      const charges = ledger.balance("bank_charges:USD");
      expect({ moved, refunded: refunded?.minor }).toEqual({ moved: -charges, refunded: price.total.minor - charges });
      if (books.paid === 0) expect(charges).toBe(0n);
      break;
    }
    default:
      throw new Error(`${transaction.status} is no end`);
  }
  const amount = (kind: string) => ledger.posted.get(kind)?.minor;
  const { currency } = price.receive;
  const settled =
    amount("settlement:t-1:receive") ?? (currency === "USD" && books.paid > 0 ? price.receive.minor : undefined);
  const returned = amount("return:t-1:receive");
  const differences = compareBooks({
    reference: "t-1",
    ...(transaction.paidAt !== undefined && { transaction }),
    lines: lines.map((line) => ({
      reference: "t-1",
      kind: line.kind,
      amount: parseMoney(line.amount, line.currency),
      at: new Date(line.at),
    })),
    ledger: {
      ...(settled !== undefined && { settled: { minor: settled, currency } }),
      ...(returned !== undefined && { returned: { minor: returned, currency } }),
    },
  });
  if (transaction.paidAt !== undefined) expect(differences).toEqual([]);
}

/** From where it was blocked. */
// One history of a hundred is blocked in PROCESSING: a few hundred may have none.
const blocked = ["AWAITING_PAYMENT", "PAID", ...(histories < 1_000 ? [] : ["PROCESSING"])].map(
  (status) => `blocked in ${status}`,
);

function blockedOf(timeline: Transaction["timeline"]): string[] {
  return timeline.flatMap(({ status }, at) => (status === "BLOCKED" ? [`blocked in ${timeline[at - 1]!.status}`] : []));
}

/** Wallet and compliance have heard how it ended. */
function checkPublished({ payer, reservation }: World, { status }: Transaction): void {
  switch (status) {
    case "COMPLETED":
      expect([payer.status(), reservation]).toEqual(["SUCCESS", ["CONFIRMED"]]);
      break;
    case "REFUNDED":
      expect([payer.status(), reservation]).toEqual(["REFUNDED", ["CONFIRMED", "GIVEN_BACK"]]);
      break;
    case "AWAITING_PAYMENT":
      expect(reservation).toEqual([]);
      break;
    default:
      expect(reservation).toEqual(["RELEASED"]);
      expect(payer.status()).not.toBe("SUCCESS");
  }
}

/** Events tell each step once, each amendment too, the end last, and no block. */
function checkEvents({ told }: World, { status, amendments = [] }: Transaction): void {
  const types = told.map(({ type }) => type);
  const steps = types.filter((type) => type !== "transaction.amended");
  expect(steps).toEqual([...new Set(steps)]);
  const amended = told.filter(({ type }) => type === "transaction.amended");
  const ids = amended.map(({ dataJson }) => (JSON.parse(dataJson) as { amendmentId: string }).amendmentId);
  expect(ids).toEqual(amendments.filter(({ status: is }) => is === "APPLIED").map(({ amendmentId }) => amendmentId));
  for (const { dataJson } of told) expect(dataJson).not.toContain("BLOCKED");
  // Nobody but the wallet's release and the clock brings these about, which tell by themselves.
  if (status !== "AWAITING_PAYMENT" && status !== "EXPIRED") {
    expect(types.at(-1)).toBe(`transaction.${status.toLowerCase()}`);
  }
}

jest.setTimeout(histories * 30 + 60_000);

test(`in ${histories} histories of crashes, lost and late messages and a partner that does as it likes, everybody is served or refunded`, async () => {
  const ends: Record<string, number> = {};
  const history = fc.array(fc.nat({ max: 10_000 }), { maxLength: 400, size: "max" });
  await fc.assert(
    fc.asyncProperty(history, async (numbers) => {
      const tape = createTape(numbers);
      const world = createWorld(tape, payable(tape));
      try {
        await world.run();
        checkEnd(world);
      } catch (error) {
        const published = world.current().timeline.map(({ status }) => status);
        throw new Error(`${(error as Error).message}\n${[...world.log, ...published].join("\n")}`, { cause: error });
      }
      const { status, deliveryMethod, payout, timeline, amendments } = world.current();
      for (const end of blockedOf(timeline)) ends[end] = (ends[end] ?? 0) + 1;
      ends[status] = (ends[status] ?? 0) + 1;
      if (world.hits.held() > 0) ends["held for a hit"] = (ends["held for a hit"] ?? 0) + 1;
      if (amendments !== undefined) ends["amended"] = (ends["amended"] ?? 0) + 1;
      if (amendments !== undefined && payout?.sentAt !== undefined) {
        ends["amended and sent"] = (ends["amended and sent"] ?? 0) + 1;
      }
      if (deliveryMethod === "WALLET") {
        const end = `WALLET ${payout?.outcome ?? status}`;
        ends[end] = (ends[end] ?? 0) + 1;
      }
    }),
    { numRuns: histories, endOnFailure: true },
  );
  process.stdout.write(`payout saga: ${histories} histories ended ${JSON.stringify(ends)}\n`);
  // Histories in which nothing happens prove nothing.
  for (const status of [
    "COMPLETED",
    "REFUNDED",
    "CANCELLED",
    "EXPIRED",
    "WALLET PAID",
    "held for a hit",
    "amended and sent",
    ...blocked,
  ])
    expect({ [status]: ends[status] ?? 0 }).not.toEqual({ [status]: 0 });
});
