import type { Booking } from "../../proto/gen/wallet/v1/bookings.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { compareWallet, type ComparedServices } from "./reconcile-wallet.js";

type Transfer = { key: string; minor: bigint; currency?: string; service?: string; mode?: string };

const done = { kind: "payment", state: "DONE", transfers: [], keyPrefix: "", transactionId: "", total: undefined };
const booking = (part: object): Booking => ({ ...done, ...part }) as never;
const usd = (amountMinor: bigint) => ({ amountMinor, currency: "USD" });

/** The three services, each answering in pages of one. */
function books(
  bookings: readonly Booking[],
  transfers: readonly Transfer[],
  {
    transactions = {},
    refunds = [],
    timeline = [],
    off = 0n,
  }: { transactions?: Record<string, string>; refunds?: object[]; timeline?: { status: string }[]; off?: bigint } = {},
): ComparedServices {
  return {
    call: () => ({ tenantId: "t", interactionId: "i" }),
    wallet: {
      listBookings: async ({ cursor }: { cursor?: string }) => {
        const index = Number(cursor || 0);
        return {
          bookings: bookings.slice(index, index + 1),
          nextCursor: index + 1 < bookings.length ? String(index + 1) : "",
        };
      },
    },
    ledger: {
      readJournal: async ({ afterSequence = 0n }: { afterSequence?: bigint }) => ({
        transfers: transfers
          .map(({ key, minor, currency = "USD", service = "wallet", mode = "POSTED" }, index) => ({
            key,
            service,
            mode,
            amount: { amountMinor: minor, currency },
            sequence: BigInt(index + 1),
          }))
          .filter(({ sequence }) => sequence > afterSequence)
          .slice(0, 1),
      }),
      getTrialBalance: async () => ({
        lines: [
          { currency: "USD", debitsMinor: String(100n + off), creditsMinor: "0" },
          { currency: "USD", debitsMinor: "0", creditsMinor: "100" },
        ],
      }),
    },
    remittance: {
      getTransaction: async ({ transactionId = "" }: { transactionId?: string }) => {
        const status = transactions[transactionId];
        if (status === undefined) throw new Refusal("TRANSACTION_NOT_FOUND", "no such transaction");
        return { transaction: { status, refunds, timeline } };
      },
    },
  } as never;
}

const differencesOf = async (...given: Parameters<typeof books>) => (await compareWallet(books(...given))).differences;
const deposit = (part: object = {}) =>
  booking({ kind: "deposit", id: "d1", transfers: [{ key: "deposit:d1", amount: usd(500n) }], ...part });
const paid = (part: object = {}) =>
  booking({ id: "p1", keyPrefix: "payment:p1:", total: usd(110n), transactionId: "tx1", ...part });

test("books that agree have no difference, whatever others have booked", async () => {
  const legs = [
    { key: "payment:p1:principal", minor: 100n },
    { key: "payment:p1:fee", minor: 10n },
    { key: "deposit:d1", minor: 500n },
    { key: "payout:1", minor: 7n, service: "remittance" },
    { key: "hold:h1", minor: 7n, mode: "EXPIRE_PENDING" },
  ];
  const found = await compareWallet(books([deposit(), paid()], legs, { transactions: { tx1: "PAID" } }));
  expect(found).toEqual({ bookings: 2, transfers: 3, inFlight: 0, differences: [] });
});

test.each([
  ["is not in the ledger", [], "LEDGER_MISSING", "500 USD"],
  ["has another amount there", [{ key: "deposit:d1", minor: 499n }], "LEDGER_DIFFERS", "500 USD"],
  ["has another currency there", [{ key: "deposit:d1", minor: 500n, currency: "EUR" }], "LEDGER_DIFFERS", "500 USD"],
])("a deposit that %s", async (_what, transfers, kind, reported) => {
  expect(await differencesOf([deposit()], transfers)).toMatchObject([{ kind, wallet: reported }]);
});

test("a payment whose legs do not come to its total, and one without any", async () => {
  const transactions = { tx1: "COMPLETED" };
  const short = [{ key: "payment:p1:principal", minor: 100n }];
  expect(await differencesOf([paid()], short, { transactions })).toMatchObject([
    { kind: "LEDGER_DIFFERS", wallet: "110 USD", found: "100" },
  ]);
  expect(await differencesOf([paid()], [], { transactions })).toMatchObject([{ kind: "LEDGER_MISSING" }]);
});

test("what the ledger has and the wallet does not, or has given up", async () => {
  const stray = [{ key: "deposit:d1", minor: 500n }];
  expect(await differencesOf([], stray)).toMatchObject([{ kind: "LEDGER_UNEXPECTED", subject: "deposit:d1" }]);
  expect(await differencesOf([deposit({ state: "FAILED" })], stray)).toMatchObject([{ kind: "LEDGER_UNEXPECTED" }]);
});

test("what is under way is counted and is no difference, posted or not", async () => {
  const open = deposit({ state: "PENDING" });
  expect(await compareWallet(books([open], []))).toMatchObject({ inFlight: 1, differences: [] });
  expect(await differencesOf([open], [{ key: "deposit:d1", minor: 500n }])).toEqual([]);
});

test("what was set aside since its wallet was closed belongs to its booking", async () => {
  const aside = [{ key: "top-up:u1:suspense", minor: 5n }];
  const failed = booking({
    kind: "top-up",
    id: "u1",
    state: "FAILED",
    transfers: [{ key: "top-up:u1", amount: usd(5n) }],
  });
  expect(await differencesOf([failed], aside)).toEqual([]);
  expect(await differencesOf([], aside)).toMatchObject([{ kind: "LEDGER_UNEXPECTED" }]);
});

test("what was taken back from a wallet belongs to remittance's refund, and to no other", async () => {
  const back = [{ key: "return:tx1:wallet:r1", minor: 100n, mode: "REVERSAL" }];
  const transactions = { tx1: "REFUNDED" };
  const refund = { refundId: "r1", fromRecipient: true, status: "DONE" };
  const reported = (refunds: object[]) => differencesOf([], back, { transactions, refunds });
  expect(await reported([refund])).toEqual([]);
  const unexpected = [{ kind: "LEDGER_UNEXPECTED", subject: "return:tx1:wallet:r1" }];
  for (const other of [{ refundId: "r2" }, { fromRecipient: false }, { status: "REFUSED" }]) {
    expect(await reported([{ ...refund, ...other }])).toMatchObject(unexpected);
  }
  expect(await differencesOf([], back)).toMatchObject(unexpected);
});

test("a paid transaction that remittance does not have as paid, or not at all", async () => {
  const legs = [{ key: "payment:p1:principal", minor: 110n }];
  const reported = (transactions: Record<string, string>) => differencesOf([paid()], legs, { transactions });
  expect(await reported({ tx1: "AWAITING_PAYMENT" })).toMatchObject([
    { kind: "TRANSACTION_DIFFERS", found: "AWAITING_PAYMENT" },
  ]);
  expect(await reported({})).toMatchObject([{ kind: "TRANSACTION_DIFFERS", found: "not there" }]);
  expect(await reported({ tx1: "TRANSACTION_STATUS_REFUNDED" })).toEqual([]);
});

test("a paid transaction that compliance has blocked agrees, and one that was blocked unpaid does not", async () => {
  const legs = [{ key: "payment:p1:principal", minor: 110n }];
  const reported = (...statuses: string[]) =>
    differencesOf([paid()], legs, {
      transactions: { tx1: "BLOCKED" },
      timeline: statuses.map((status) => ({ status })),
    });
  expect(await reported("AWAITING_PAYMENT", "PAYING", "PAID", "BLOCKED")).toEqual([]);
  expect(await reported("AWAITING_PAYMENT", "BLOCKED")).toMatchObject([
    { kind: "TRANSACTION_DIFFERS", found: "BLOCKED" },
  ]);
});

test("a trial balance that is off by a minor unit", async () => {
  expect(await differencesOf([], [], { off: 1n })).toMatchObject([
    { kind: "TRIAL_BALANCE", subject: "USD", found: "1" },
  ]);
});
