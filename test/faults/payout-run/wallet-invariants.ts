import type { AllBooks } from "./books.js";
import { checkEach, type Invariant } from "./invariant.js";
import { effectsAtBank, sumOf, type Effects, type PaidWithdrawal, type WalletLog } from "./moves.js";

/**
 * What wallets have done, in four books: what clients were told, the wallet's, the ledger's and the
 * bank's.
 */
export function checkWalletInvariants(books: AllBooks, log: Pick<WalletLog, "moves" | "withdrawals">): Invariant[] {
  return [
    movedOnce(books, log),
    nothingElseMoved(books, log),
    walletKnowsThem(books, log),
    bankAgrees(books, log),
    nothingIsHeld(books),
  ];
}

/** What the transfers of each name ("payment:<id>") have done to each account together. */
function doneByName({ transfers, wallet }: AllBooks): Map<string, Effects> {
  const creditOf = new Map(wallet.movements.map(({ id, subjectId = "" }) => [id, subjectId]));
  const named = Map.groupBy(
    transfers.filter(({ service }) => service === "wallet"),
    ({ key }) => {
      const [prefix = "", id = ""] = key.split(":");
      return prefix === "credit-assignment" ? `credit:${creditOf.get(id) ?? id}` : `${prefix}:${id}`;
    },
  );
  return new Map(
    [...named].map(([name, all]) => {
      const sums = sumOf(
        all.flatMap(({ entries: [debit, credit], amountMinor }) => [
          { [debit.account]: -amountMinor },
          { [credit.account]: amountMinor },
        ]),
      );
      return [name, Object.fromEntries([...sums].filter(([, minor]) => minor !== 0n))];
    }),
  );
}

/**
 * What must have been done, by name: what clients were told, and what the bank has made of
 * withdrawals.
 */
function expectedByName({ wallet }: AllBooks, { moves, withdrawals }: Pick<WalletLog, "moves" | "withdrawals">) {
  const atBank = new Map(wallet.bankTransfers.map(({ reference, status }) => [reference, status]));
  return [
    ...moves.map(({ name, effects }) => [name, effects] as const),
    ...withdrawals.map((one: PaidWithdrawal) => {
      const { withdrawalId } = one;
      return [`withdrawal:${withdrawalId}`, effectsAtBank(one, atBank.get(withdrawalId))] as const;
    }),
  ];
}

function movedOnce(books: AllBooks, log: Pick<WalletLog, "moves" | "withdrawals">): Invariant {
  const done = doneByName(books);
  return checkEach(
    "what a wallet's client was told has moved, once, to the cent",
    expectedByName(books, log),
    (one) => {
      const [name, wanted] = one;
      const found = done.get(name) ?? {};
      const accounts = new Set([...Object.keys(found), ...Object.keys(wanted)]);
      const wrong = [...accounts].filter((account) => (found[account] ?? 0n) !== (wanted[account] ?? 0n));
      if (wrong.length === 0) return undefined;
      return `${name}: ${wrong.map((account) => `${account} ${found[account] ?? 0n}, not ${wanted[account] ?? 0n}`).join("; ")}`;
    },
  );
}

function nothingElseMoved(books: AllBooks, log: Pick<WalletLog, "moves" | "withdrawals">): Invariant {
  const expectedNames = new Set(expectedByName(books, log).map(([name]) => name));
  const transactions = new Set(books.transactions.map(({ transactionId }) => transactionId));
  const others = new Set(
    books.payments.filter(({ payableId }) => transactions.has(payableId)).map(({ _id }) => `payment:${_id}`),
  );
  // Opening balances are deposits of the fixture.
  const names = [...doneByName(books).keys()].filter((name) => !name.startsWith("deposit:"));
  return checkEach("the wallet has moved nothing that nobody was told of", names, (name) =>
    expectedNames.has(name) || others.has(name) ? undefined : `${name} has moved`,
  );
}

/** By the wallet's own documents. */
function walletKnowsThem({ wallet, payments }: AllBooks, log: Pick<WalletLog, "moves" | "withdrawals">): Invariant {
  const statesOf = (rows: readonly { id: string; status: string }[]) =>
    new Map(rows.map((row) => [row.id, row.status]));
  const paid = new Map<string, string>(payments.map(({ _id, status }) => [_id, status]));
  const books: Record<string, [ReadonlyMap<string, string>, readonly string[]]> = {
    payment: [paid, ["SUCCESS", "REFUNDED", "PARTIALLY_REFUNDED"]],
    "top-up": [statesOf(wallet.topUps), ["DONE"]],
    credit: [statesOf(wallet.credits), ["BOOKED", "ASSIGNED"]],
    hold: [statesOf(wallet.holds), ["CONFIRMED", "RELEASED"]],
    refund: [statesOf(wallet.refunds), ["DONE"]],
    till: [statesOf(wallet.tills), ["CLOSED"]],
    cash: [statesOf(wallet.movements), ["DONE"]],
  };
  return checkEach("the wallet still knows it, at its end", log.moves, ({ name }) => {
    const [prefix = "", id = ""] = name.split(":");
    const [states, ends] = books[prefix] ?? [];
    const state = states?.get(id);
    return states === undefined || ends?.includes(state ?? "") === true ? undefined : `${name} is ${state ?? "lost"}`;
  });
}

const afterBank: Readonly<Record<string, string>> = { PAID: "SENT", REFUSED: "REFUSED", RETURNED: "RETURNED" };

function bankAgrees({ wallet }: AllBooks, { moves, withdrawals }: Pick<WalletLog, "moves" | "withdrawals">): Invariant {
  const { bankTransfers, charges, bankCredits, payables } = wallet;
  const atBank = new Map(bankTransfers.map(({ reference, status }) => [reference, status]));
  const state = new Map(payables.map(({ id, status }) => [id, status]));
  const names = new Set(moves.map(({ name }) => name));
  const requested = new Set(withdrawals.map(({ withdrawalId }) => withdrawalId));
  const captured = charges.filter(({ status }) => status === "CAPTURED");
  const sent = checkEach("", withdrawals, ({ withdrawalId }) => {
    const status = atBank.get(withdrawalId) ?? "unknown there";
    return state.get(withdrawalId) === afterBank[status]
      ? undefined
      : `withdrawal ${withdrawalId} is ${state.get(withdrawalId)}, at the bank ${status}`;
  });
  const topUps = moves.filter(({ kind }) => kind === "card").length;
  return {
    what: "the bank has paid, charged and received what clients were told, each once, and nothing else",
    checked: withdrawals.length + captured.length + bankCredits.length,
    broken: [
      ...sent.broken,
      ...bankTransfers
        .filter(({ reference }) => !requested.has(reference))
        .map(({ reference }) => `${reference} was paid`),
      ...captured
        .filter(({ reference }) => !names.has(`top-up:${reference}`))
        .map((one) => `${one.reference} was charged`),
      ...(captured.length === topUps ? [] : [`${captured.length} charges for ${topUps} top-ups`]),
      ...bankCredits
        .filter(({ creditId }) => !names.has(`credit:${creditId}`))
        .map((one) => `${one.creditId} has arrived`),
    ],
  };
}

const emptyCodes = ["withdrawal_clearing", "cash_till", "suspense"];

function nothingIsHeld({ accounts }: AllBooks): Invariant {
  const checked = accounts.filter(({ code }) => code === "customer_wallet" || emptyCodes.includes(code));
  return checkEach(
    "nothing is held, and tills, suspense and what was on its way to banks are empty",
    checked,
    (account) => {
      const { accountId, code, debitsPostedMinor, creditsPostedMinor, debitsPendingMinor, creditsPendingMinor } =
        account;
      if (debitsPendingMinor !== 0n || creditsPendingMinor !== 0n) return `${accountId} has something held`;
      const isEmpty = debitsPostedMinor === creditsPostedMinor;
      return isEmpty || !emptyCodes.includes(code) ? undefined : `${accountId} is not empty`;
    },
  );
}
