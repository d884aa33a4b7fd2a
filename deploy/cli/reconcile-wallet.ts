import type { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import type { RemittanceServiceDefinition, Transaction } from "../../proto/gen/remittance/v1/remittance.js";
import type { Booking } from "../../proto/gen/wallet/v1/bookings.js";
import type { WalletServiceDefinition } from "../../proto/gen/wallet/v1/wallet.js";
import type { Client, outgoing } from "../../services/kernel/grpc/client.js";
import { Refusal } from "../../services/kernel/refusal.js";

export interface Difference {
  kind: "LEDGER_MISSING" | "LEDGER_DIFFERS" | "LEDGER_UNEXPECTED" | "TRIAL_BALANCE" | "TRANSACTION_DIFFERS";
  subject: string;
  wallet: string;
  found: string;
}

export interface WalletComparison {
  bookings: number;
  transfers: number;
  inFlight: number;
  differences: Difference[];
}

export interface ComparedServices {
  wallet: Pick<Client<WalletServiceDefinition>, "listBookings">;
  ledger: Pick<Client<LedgerServiceDefinition>, "readJournal" | "getTrialBalance">;
  remittance: Pick<Client<RemittanceServiceDefinition>, "getTransaction">;
  call: () => ReturnType<typeof outgoing>;
}

interface Found {
  text: string;
  minor: bigint;
  currency: string;
}

/**
 * Every booking of the wallet against the ledger's transfers that the wallet posted, in both
 * directions, every paid transaction against remittance, and the trial balance. The wallet is read
 * before the ledger, so that what happens meanwhile is under way, not missing. Holds the keys of
 * the tenant's transfers in memory. Changes nothing.
 */
export async function compareWallet({ wallet, ledger, remittance, call }: ComparedServices): Promise<WalletComparison> {
  const bookings: Booking[] = [];
  let cursor = "";
  do {
    const page = await wallet.listBookings({ cursor }, call());
    bookings.push(...page.bookings);
    cursor = page.nextCursor;
  } while (cursor !== "");
  const transfers = await transfersOf(ledger, call);
  const differences: Difference[] = [];
  const unseen = new Map(transfers);
  for (const booking of bookings) {
    differences.push(...compareBooking(booking, transfers, unseen));
    if (booking.state === "DONE" && booking.transactionId !== "") {
      differences.push(...(await compareTransaction(remittance, booking, call)));
    }
  }
  const inFlight = bookings.filter(({ state }) => state === "PENDING").length;
  const open = new Set(bookings.flatMap(({ id, state }) => (state === "PENDING" ? [id] : [])));
  const known = new Set(bookings.map(({ id }) => id));
  for (const [key, { text }] of unseen) {
    const [, id = ""] = key.split(":");
    // Under way; or set aside in suspense since the wallet it was for had been closed, which its
    // key says.
    if (open.has(id) || (key.endsWith(":suspense") && known.has(id))) continue;
    if (await isTakenBack(remittance, key, call)) continue;
    differences.push({ kind: "LEDGER_UNEXPECTED", subject: key, wallet: "nothing", found: text });
  }
  const { lines } = await ledger.getTrialBalance({}, call());
  const sums = new Map<string, bigint>();
  for (const { currency, debitsMinor, creditsMinor } of lines) {
    sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(debitsMinor) - BigInt(creditsMinor));
  }
  for (const [currency, off] of sums) {
    if (off !== 0n) differences.push({ kind: "TRIAL_BALANCE", subject: currency, wallet: "0", found: String(off) });
  }
  return { bookings: bookings.length, transfers: transfers.size, inFlight, differences };
}

async function transfersOf(ledger: ComparedServices["ledger"], call: ComparedServices["call"]) {
  const found = new Map<string, Found>();
  let afterSequence = 0n;
  for (;;) {
    const page = await ledger.readJournal({ afterSequence, limit: 1_000 }, call());
    for (const { key, service, mode, amount } of page.transfers) {
      if (service !== "wallet" || mode === "EXPIRE_PENDING") continue;
      const { amountMinor: minor = 0n, currency = "" } = amount ?? {};
      found.set(key, { text: `${minor} ${currency}`, minor, currency });
    }
    const last = page.transfers.at(-1);
    if (last === undefined) return found;
    afterSequence = last.sequence;
  }
}

function compareBooking(
  booking: Booking,
  transfers: ReadonlyMap<string, Found>,
  unseen: Map<string, Found>,
): Difference[] {
  const { kind, id, state, keyPrefix, total } = booking;
  const subject = `${kind} ${id}`;
  if (keyPrefix !== "") {
    const legs = ["principal", "fee", "tax", "transfer"].flatMap((part) => {
      const leg = transfers.get(`${keyPrefix}${part}`);
      if (leg === undefined) return [];
      if (state !== "FAILED") unseen.delete(`${keyPrefix}${part}`);
      return [leg];
    });
    if (state !== "DONE") return [];
    const sum = legs.reduce((all, { minor }) => all + minor, 0n);
    if (sum === total?.amountMinor) return [];
    const kindOf = legs.length === 0 ? "LEDGER_MISSING" : "LEDGER_DIFFERS";
    return [
      { kind: kindOf, subject, wallet: `${total?.amountMinor ?? 0n} ${total?.currency ?? ""}`, found: String(sum) },
    ];
  }
  return booking.transfers.flatMap(({ key, amount }): Difference[] => {
    const leg = transfers.get(key);
    if (leg !== undefined && state !== "FAILED") unseen.delete(key);
    if (state !== "DONE") return [];
    const wanted = `${amount?.amountMinor ?? 0n} ${amount?.currency ?? ""}`;
    if (leg === undefined) return [{ kind: "LEDGER_MISSING", subject, wallet: wanted, found: `no ${key}` }];
    if (leg.minor === amount?.amountMinor && leg.currency === amount.currency) return [];
    return [{ kind: "LEDGER_DIFFERS", subject: `${subject} ${key}`, wallet: wanted, found: leg.text }];
  });
}

const paidStates =
  /^TRANSACTION_STATUS_(PAYING|PAID|PROCESSING|READY_FOR_PICKUP|COMPLETED|CANCELLING|REFUNDED|FAILED|RETURNED|PARTIALLY_REFUNDED)$/;

const isPaidState = (status: string) => paidStates.test(status) || paidStates.test(`TRANSACTION_STATUS_${status}`);

async function compareTransaction(
  remittance: ComparedServices["remittance"],
  { id, transactionId }: Booking,
  call: ComparedServices["call"],
): Promise<Difference[]> {
  const different = (found: string): Difference[] => [
    { kind: "TRANSACTION_DIFFERS", subject: `transaction ${transactionId}`, wallet: `paid by ${id}`, found },
  ];
  const transaction = await findTransaction(remittance, transactionId, call);
  if (transaction === undefined) return different("not there");
  const { status, timeline } = transaction;
  // Compliance blocks what is not paid, too.
  const isPaid = status === "BLOCKED" ? timeline.some((entry) => entry.status === "PAID") : isPaidState(status);
  return isPaid ? [] : different(status);
}

const takeBackKey = /^return:([^:]+):wallet:([^:]+)$/;

/**
 * True for a delivery into a wallet that was taken back: the wallet keeps no booking of it, since
 * remittance's refund asked for it and the ledger turned the delivery round.
 */
async function isTakenBack(
  remittance: ComparedServices["remittance"],
  key: string,
  call: ComparedServices["call"],
): Promise<boolean> {
  const [, transactionId, refundId] = takeBackKey.exec(key) ?? [];
  if (transactionId === undefined) return false;
  const refunds = (await findTransaction(remittance, transactionId, call))?.refunds ?? [];
  return refunds.some((refund) => refund.refundId === refundId && refund.fromRecipient && refund.status !== "REFUSED");
}

async function findTransaction(
  remittance: ComparedServices["remittance"],
  transactionId: string,
  call: ComparedServices["call"],
): Promise<Transaction | undefined> {
  try {
    return (await remittance.getTransaction({ transactionId }, call())).transaction;
  } catch (error) {
    if (error instanceof Refusal && error.code === "TRANSACTION_NOT_FOUND") return undefined;
    throw error;
  }
}
