import { atDepth } from "../support/depth.js";
import type { AllBooks } from "./payout-run/books.js";
import { checkInvariants } from "./payout-run/invariants.js";
import { timelineOf } from "./payout-run/report.js";
import { runPayoutFaults, type RunResult } from "./payout-run/run.js";

// 60 s in CI, and 2,000 payments under every fault in `npm run test:long`; `npm run faults:payouts` writes docs/benchmarks/payout-faults.md.
const isLong = process.env["TEST_DEPTH"] === "long";
const faultSeconds = atDepth({ quick: 25, ci: 60, long: 60 }, "FAULT_SECONDS");
const payments = isLong ? 2_000 : 0;
const clients = isLong ? 32 : 12;

jest.setTimeout((faultSeconds + payments + 420) * 1_000);

let result: RunResult;
beforeAll(async () => {
  const say = () => undefined;
  result = await runPayoutFaults({ clients, payments, seconds: faultSeconds, everyFault: isLong, say });
});

test(`${faultSeconds} s of faults: nothing acknowledged is lost, nothing moves twice, all books agree, everything ends in time`, () => {
  const { invariants, books, injected, settledMs } = result;
  const paid = books.transactions.filter(({ paidAt }) => paidAt !== undefined).length;
  const took = (settledMs / 1_000).toFixed(1);
  process.stdout.write(
    `payout faults: ${injected.length} faults, ${paid} payments, at their ends ${took} s after the last\n`,
  );
  expect(invariants.filter(({ broken }) => broken.length > 0)).toEqual([]);
});

test("money moved under it, every kind of fault came, and some payments came back", () => {
  const { books, injected } = result;
  const kinds = new Set(injected.map(({ kind }) => kind));
  expect([...kinds].toSorted()).toEqual(["Redis", "half answer", "kill", "latency", "mongod", "no answer", "reset"]);
  const ends = new Set<string>(books.transactions.map(({ status }) => status));
  expect(ends).toContain("COMPLETED");
  expect(ends).toContain("REFUNDED");
  expect(timelineOf(result, "a < b")).toMatch(/^<svg [\s\S]*last fault[\s\S]*<\/svg>\n$/);
});

describe("the comparison names", () => {
  const served = ({ transactions }: AllBooks) => transactions.find(({ status }) => status === "COMPLETED")!;
  const lineOf = (books: AllBooks) =>
    books.lines.find(({ reference, kind }) => reference === served(books).transactionId && kind === "PAYOUT")!;
  const keyOf = (books: AllBooks) => `clearing:${served(books).transactionId}`;

  test.each<[string, (books: AllBooks) => Partial<AllBooks>, RegExp]>([
    ["a payment that is lost", () => ({ payments: [] }), /^nothing that was acknowledged is lost/],
    ["a transaction that is lost", () => ({ transactions: [] }), /^nothing that was acknowledged is lost/],
    [
      "a transaction too many",
      (books) => ({ transactions: [...books.transactions, served(books)] }),
      /^a request has made one transaction/,
    ],
    [
      "one that is stuck",
      (books) => ({ transactions: [{ ...served(books), status: "PROCESSING" }] }),
      /^every transaction is at its end/,
    ],
    ["a payout too many", (books) => ({ lines: [...books.lines, lineOf(books)] }), /^the partner has paid/],
    [
      "a payout too few",
      (books) => ({ lines: books.lines.filter((line) => line !== lineOf(books)) }),
      /^the partner has/,
    ],
    ["a settlement that is missing", (books) => ({ transfers: without(books, keyOf(books)) }), /^the ledger has moved/],
    ["a share of the limit that is lost", () => ({ reservations: new Map() }), /^compliance counts/],
    ["a cent in a wallet", (books) => ({ accounts: aCentMore(books, "customer_wallet") }), /^a wallet holds/],
    ["a cent in clearing", (books) => ({ accounts: aCentMore(books, "remittance_clearing") }), /^clearing is at zero/],
  ])("%s", (_what, spoil, invariant) => {
    const spoilt = { ...result.books, ...spoil(result.books) };
    const named = checkInvariants(spoilt, result.attempts).filter(({ broken }) => broken.length > 0);
    expect(named.map(({ what }) => what)).toContainEqual(expect.stringMatching(invariant));
  });

  function without({ transfers }: AllBooks, key: string): AllBooks["transfers"] {
    return transfers.filter((transfer) => transfer.key !== key);
  }

  function aCentMore({ accounts }: AllBooks, code: string): AllBooks["accounts"] {
    const at = accounts.findIndex((account) => account.code === code);
    return accounts.map((one, index) =>
      index === at ? { ...one, creditsPostedMinor: one.creditsPostedMinor + 1n } : one,
    );
  }
});
