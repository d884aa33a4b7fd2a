import { parseMoney } from "../../../services/kernel/money.js";
import type { Transaction } from "../../../services/remittance/domain/transaction.js";
import type { AllBooks } from "./books.js";
import { openingBalance } from "./fixture.js";
import { checkEach, type Invariant } from "./invariant.js";
import { effectsAtBank, sumOf, type WalletLog } from "./moves.js";
import type { Attempt } from "./traffic.js";
import { checkWalletInvariants } from "./wallet-invariants.js";

const isPaidFor = ({ paidAt }: Transaction) => paidAt !== undefined;

/**
 * Partner's books, ledger, wallet, compliance and remittance against each other and against what
 * clients were told.
 */
export function checkInvariants(
  books: AllBooks,
  { attempts, wallet }: { attempts: readonly Attempt[]; wallet: Pick<WalletLog, "moves" | "withdrawals"> },
): Invariant[] {
  return [
    acknowledgedIsThere(books, attempts),
    oneTransactionPerRequest(books, attempts),
    endsAreKnown(books),
    partnerAgrees(books),
    onePaymentEach(books),
    ledgerAgrees(books),
    complianceAgrees(books),
    clearingIsEmpty(books),
    ...checkWalletInvariants(books, wallet),
    walletsAddUp(books, wallet),
    trialBalance(books),
    nothingIsLeft(books),
  ];
}

function acknowledgedIsThere({ transactions, payments }: AllBooks, attempts: readonly Attempt[]): Invariant {
  const byId = new Map(transactions.map((one) => [one.transactionId, one]));
  const paymentById = new Map(payments.map((one) => [one._id, one]));
  const published = attempts.filter(({ transactionId }) => transactionId !== undefined);
  return checkEach(
    "nothing that was acknowledged is lost",
    published,
    ({ transactionId = "", paymentId, cancelled }) => {
      const transaction = byId.get(transactionId);
      if (transaction === undefined) return `transaction ${transactionId} is lost`;
      if (paymentId !== undefined) {
        const payment = paymentById.get(paymentId);
        const isRetained = payment?.status === "SUCCESS" || payment?.status === "REFUNDED";
        if (!isRetained || payment.payableId !== transactionId)
          return `payment ${paymentId} of ${transactionId} is lost`;
        if (transaction.paymentId !== paymentId)
          return `${transactionId} was paid by ${transaction.paymentId}, not ${paymentId}`;
      }
      const ends = ["CANCELLED", "REFUNDED", "COMPLETED"];
      if (cancelled !== undefined && !ends.includes(transaction.status)) {
        return `the cancellation of ${transactionId} (${cancelled}) is lost: ${transaction.status}`;
      }
      return undefined;
    },
  );
}

function oneTransactionPerRequest({ transactions }: AllBooks, attempts: readonly Attempt[]): Invariant {
  const keys = new Set(attempts.map(({ createKey }) => createKey));
  const made = Map.groupBy(transactions, ({ request }) => request.key);
  return checkEach("a request has made one transaction, and nothing else has made one", [...made], ([key, all]) =>
    keys.has(key) && all.length === 1 ? undefined : `${all.length} transactions of key ${key}`,
  );
}

const ends = ["COMPLETED", "REFUNDED", "CANCELLED", "EXPIRED", "AWAITING_PAYMENT"];

function endsAreKnown({ transactions }: AllBooks): Invariant {
  return checkEach("every transaction is at its end, or waits for a payment that never came", transactions, (one) => {
    const { transactionId, status } = one;
    if (!ends.includes(status)) return `${transactionId} is ${status}`;
    const isServed = status === "COMPLETED" || status === "REFUNDED";
    return isServed === isPaidFor(one)
      ? undefined
      : `${transactionId} is ${status}, paid at ${one.paidAt?.toISOString()}`;
  });
}

function partnerAgrees({ transactions, payouts, lines }: AllBooks): Invariant {
  const byReference = Map.groupBy(lines, ({ reference }) => reference);
  const known = new Set(transactions.map(({ transactionId }) => transactionId));
  const strangers = payouts.filter(({ reference }) => !known.has(reference)).map(({ reference }) => `${reference}?`);
  const found = checkEach(
    "the partner has paid what is COMPLETED, once, and nothing that was refunded",
    transactions,
    (one) => {
      const { transactionId, status, price, payout } = one;
      const of = (kind: string) => (byReference.get(transactionId) ?? []).filter((line) => line.kind === kind);
      const [paid, returned] = [of("PAYOUT"), of("RETURN")];
      const expected = status === "COMPLETED" ? [1, 0] : payout?.outcome === "RETURNED" ? [1, 1] : [0, 0];
      if (paid.length !== expected[0] || returned.length !== expected[1]) {
        return `${transactionId} is ${status}, the partner paid ${paid.length} and returned ${returned.length}`;
      }
      const wrong = paid.find(({ amount, currency }) => parseMoney(amount, currency).minor !== price.receive.minor);
      return wrong === undefined ? undefined : `${transactionId}: the partner paid ${wrong.amount}`;
    },
  );
  return { ...found, broken: [...found.broken, ...strangers] };
}

function onePaymentEach({ transactions, payments }: AllBooks): Invariant {
  const byPayable = Map.groupBy(payments, ({ payableId }) => payableId);
  return checkEach("one payment has paid for each, and none stands for what was not paid", transactions, (one) => {
    const { transactionId, status, payout } = one;
    const good = (byPayable.get(transactionId) ?? []).filter((payment) => payment.status !== "FAILED");
    if (good.length !== (isPaidFor(one) ? 1 : 0)) return `${transactionId} is ${status} with ${good.length} payments`;
    const [payment] = good;
    if (payment === undefined) return undefined;
    const expected = status === "REFUNDED" ? "REFUNDED" : "SUCCESS";
    if (payment.status !== expected) return `${transactionId} is ${status}, its payment ${payment.status}`;
    const back = payment.refund?.amount.minor;
    return back === payout?.refunded?.minor ? undefined : `the wallet knows of ${back} refunded for ${transactionId}`;
  });
}

/**
 * Per transaction: what left and entered the wallet, and what stays in clearing, fees, taxes and
 * with the partner.
 */
function ledgerAgrees({ transactions, transfers, payments }: AllBooks): Invariant {
  const payable = new Map(payments.map(({ _id, payableId }) => [_id, payableId]));
  const sums = new Map<string, Map<string, bigint>>();
  for (const { key, amountMinor, entries, currency } of transfers) {
    const [, id = ""] = key.split(":");
    const transactionId = payable.get(id) ?? id;
    const of = sums.get(transactionId) ?? new Map<string, bigint>();
    sums.set(transactionId, of);
    for (const [index, { account }] of entries.entries()) {
      const name = account.includes(":") ? account : `wallet:${currency}`;
      of.set(name, (of.get(name) ?? 0n) + (index === 0 ? -amountMinor : amountMinor));
    }
  }
  return checkEach("the ledger has moved it all once: wallet, clearing, fees, taxes, partner", transactions, (one) => {
    const of = sums.get(one.transactionId) ?? new Map<string, bigint>();
    const wanted = expectedSums(one);
    const names = new Set([...of.keys(), ...Object.keys(wanted)]);
    const wrong = [...names].filter((name) => (of.get(name) ?? 0n) !== (wanted[name] ?? 0n));
    return wrong.length === 0
      ? undefined
      : `${one.transactionId} (${one.status}): ${wrong.map((name) => `${name} ${of.get(name) ?? 0n}, not ${wanted[name] ?? 0n}`).join("; ")}`;
  });
}

function expectedSums(transaction: Transaction): Record<string, bigint> {
  const { status, price, payout } = transaction;
  const { principal, total, totalFees, totalTaxes, receive } = price;
  if (status === "COMPLETED") {
    return {
      "wallet:USD": -total.minor,
      "fee_income:USD": totalFees.minor,
      "tax_payable:USD": totalTaxes.minor,
      "exchange_position:USD": principal.minor,
      "exchange_position:NGN": -receive.minor,
      "partner_settlement:operator:NGN": receive.minor,
    };
  }
  if (status !== "REFUNDED") return {};
  // What a bank kept stays with the partner and is charged to the customer.
  const kept = payout?.kept?.minor ?? 0n;
  const charged = total.minor - (payout?.refunded?.minor ?? 0n);
  return {
    "wallet:USD": -charged,
    "bank_charges:USD": charged,
    "exchange_position:NGN": -kept,
    "partner_settlement:operator:NGN": kept,
  };
}

function complianceAgrees({ transactions, reservations }: AllBooks): Invariant {
  const expected: Record<string, readonly string[]> = {
    COMPLETED: ["CONFIRMED"],
    REFUNDED: ["REFUNDED"],
    CANCELLED: ["RELEASED"],
    EXPIRED: ["RELEASED"],
    AWAITING_PAYMENT: ["HELD"],
  };
  return checkEach(
    "compliance counts what was paid and gave back the rest",
    transactions,
    ({ transactionId, status }) => {
      const state = reservations.get(transactionId) ?? "nothing";
      return expected[status]?.includes(state) ? undefined : `${transactionId} is ${status}, reserved is ${state}`;
    },
  );
}

function clearingIsEmpty({ accounts }: AllBooks): Invariant {
  const clearing = accounts.filter(({ code }) => code === "remittance_clearing");
  return checkEach("clearing is at zero", clearing, ({ accountId, debitsPostedMinor, creditsPostedMinor }) =>
    debitsPostedMinor === creditsPostedMinor
      ? undefined
      : `${accountId} holds ${creditsPostedMinor - debitsPostedMinor}`,
  );
}

/** From what clients were told, and what came back of transactions. */
function walletsAddUp(books: AllBooks, { moves, withdrawals }: Pick<WalletLog, "moves" | "withdrawals">): Invariant {
  const { accounts, payments, transactions, wallet } = books;
  const opening = parseMoney(openingBalance, "USD").minor;
  const wallets = accounts.filter(({ code }) => code === "customer_wallet");
  const ids = new Set(transactions.map(({ transactionId }) => transactionId));
  const atBank = new Map(wallet.bankTransfers.map(({ reference, status }) => [reference, status]));
  const reported = sumOf([
    ...moves.map(({ effects }) => effects),
    ...withdrawals.map((one) => effectsAtBank(one, atBank.get(one.withdrawalId))),
  ]);
  return checkEach(
    "a wallet holds what it held, less what was paid, with what came in and came back",
    wallets,
    (one) => {
      const good = payments.filter(
        ({ accountId, payableId, status }) => accountId === one.accountId && ids.has(payableId) && status !== "FAILED",
      );
      const moved = good.reduce((sum, paid) => sum - paid.totalMinor + (paid.refund?.amount.minor ?? 0n), 0n);
      const wanted = opening + moved + (reported.get(one.accountId) ?? 0n);
      const balance = one.creditsPostedMinor - one.debitsPostedMinor;
      return balance === wanted ? undefined : `${one.accountId} holds ${balance}, not ${wanted}`;
    },
  );
}

function trialBalance({ accounts }: AllBooks): Invariant {
  const byCurrency = [...Map.groupBy(accounts, ({ currency }) => currency)];
  return checkEach("debits are credits in each currency", byCurrency, ([currency, all]) => {
    const debits = all.reduce((sum, one) => sum + one.debitsPostedMinor, 0n);
    const credits = all.reduce((sum, one) => sum + one.creditsPostedMinor, 0n);
    return debits === credits ? undefined : `${currency}: ${debits} and ${credits}`;
  });
}

function nothingIsLeft({ openRows }: AllBooks): Invariant {
  return {
    what: "no work is left or parked",
    checked: openRows.length,
    broken: openRows.map(({ service, kind, aggregate, state, lastError = "" }) =>
      `${service}: ${kind} of ${aggregate} is ${state} ${lastError}`.trim(),
    ),
  };
}
