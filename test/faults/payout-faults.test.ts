import { atDepth } from "../support/depth.js";
import type { AllBooks } from "./payout-run/books.js";
import { checkInvariants } from "./payout-run/invariants.js";
import { customerMoves, type MoveKind } from "./payout-run/moves.js";
import { markdownOf, secondsOf } from "./payout-run/report.js";
import { runPayoutFaults, type RunResult } from "./payout-run/run.js";

// 60 s in CI, and 2,000 payments under every fault in `npm run test:long`; `npm run faults:payouts`
// prints its tables.
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
  const { invariants, books, wallet, injected, settledMs } = result;
  const paid = books.transactions.filter(({ paidAt }) => paidAt !== undefined).length;
  const took = secondsOf(settledMs);
  process.stdout.write(
    `payout faults: ${injected.length} faults, ${paid} transactions paid, ${wallet.moves.length} moves of wallets, at their ends ${took} s after the last\n`,
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
  const moved = new Set<string>(result.wallet.moves.map(({ kind }) => kind));
  expect([...customerMoves, "cash in", "till"].filter((kind) => !moved.has(kind))).toEqual([]);
  const report = markdownOf(result, { command: "npm run x", machine: "one" });
  for (const kind of customerMoves) expect(report).toMatch(new RegExp(`^\\| ${kind} \\| \\d+ \\|$`, "m"));
});

describe("the comparison names", () => {
  const served = ({ transactions }: AllBooks) => transactions.find(({ status }) => status === "COMPLETED")!;
  const lineOf = (books: AllBooks) =>
    books.lines.find(({ reference, kind }) => reference === served(books).transactionId && kind === "PAYOUT")!;
  const keyOf = (books: AllBooks) => `clearing:${served(books).transactionId}`;

  // A released hold has moved nothing that could be lost.
  const nameOf = (kind: MoveKind) => {
    const { moves } = result.wallet;
    const hasMoved = moves.filter(({ effects }) => Object.keys(effects).length > 0);
    return (hasMoved.find((one) => one.kind === kind) ?? hasMoved.find((one) => one.kind === "bill"))!.name;
  };
  const ofWallet = ({ wallet }: AllBooks, part: Partial<AllBooks["wallet"]>) => ({ wallet: { ...wallet, ...part } });
  const firstOf = ({ transfers }: AllBooks, name: string) => transfers.find(({ key }) => key.startsWith(name))!;

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
    ...customerMoves.map((kind): [string, (books: AllBooks) => Partial<AllBooks>, RegExp] => [
      `a move of a wallet that is lost: ${kind}`,
      (books) => ({ transfers: books.transfers.filter(({ key }) => !key.startsWith(nameOf(kind))) }),
      /^what a wallet's client was told|^the ledger/,
    ]),
    [
      "a move of a wallet that was made twice",
      (books) => ({ transfers: [...books.transfers, firstOf(books, nameOf("bill"))] }),
      /^what a wallet's client was told/,
    ],
    [
      "a move that nobody was told of",
      (books) => ({ transfers: [...books.transfers, { ...firstOf(books, nameOf("bill")), key: "payment:x:fee" }] }),
      /^the wallet has moved nothing/,
    ],
    ["a top-up that the wallet forgot", (books) => ofWallet(books, { topUps: [] }), /^the wallet still knows/],
    ["a withdrawal that the bank never saw", (books) => ofWallet(books, { bankTransfers: [] }), /^the bank has paid/],
    ["a card that was charged for nothing", (books) => ofWallet(books, chargedTwice(books)), /^the bank has paid/],
    ["a cent in a till", (books) => ({ accounts: aCentMore(books, "cash_till") }), /^nothing is held/],
  ])("%s", (_what, spoil, invariant) => {
    const spoilt = { ...result.books, ...spoil(result.books) };
    const named = checkInvariants(spoilt, result).filter(({ broken }) => broken.length > 0);
    expect(named.map(({ what }) => what)).toContainEqual(expect.stringMatching(invariant));
  });

  function without({ transfers }: AllBooks, key: string): AllBooks["transfers"] {
    return transfers.filter((transfer) => transfer.key !== key);
  }

  function chargedTwice({ wallet: { charges } }: AllBooks): Partial<AllBooks["wallet"]> {
    return { charges: [...charges, { reference: "another", status: "CAPTURED" }] };
  }

  function aCentMore({ accounts }: AllBooks, code: string): AllBooks["accounts"] {
    const at = accounts.findIndex((account) => account.code === code);
    return accounts.map((one, index) =>
      index === at ? { ...one, creditsPostedMinor: one.creditsPostedMinor + 1n } : one,
    );
  }
});
