import type { GroupResult, NewAccount, Transfer } from "../../proto/gen/ledger/v1/ledger.js";
import type { Call } from "../../services/kernel/grpc/context.js";
import { maxInt64 } from "../../services/kernel/money.js";

interface BookedAccount {
  account: NewAccount;
  credits: bigint;
  debits: bigint;
  pending: bigint;
}

interface Hold {
  transfer: Transfer;
  state: "PENDING" | "POSTED" | "VOIDED";
  dueAt: number;
}

export interface PostedTransfer {
  transfer: Transfer;
  tenantId: string;
  interactionId: string;
  createdBy: string;
}

type Refused = NonNullable<GroupResult["refused"]>;

/** What the stand-in ledger knows, by tenant and id. */
export function createBooks(today = () => new Date().toISOString().slice(0, 10)) {
  return {
    today,
    accounts: new Map<string, BookedAccount>(),
    closed: new Set<string>(),
    holds: new Map<string, Hold>(),
    /** By the key of a group's first transfer. */
    decided: new Map<string, { content: string; result: GroupResult }>(),
    posted: [] as PostedTransfer[],
  };
}

export type Books = ReturnType<typeof createBooks>;

export const at = (tenantId: string, id: string): string => `${tenantId} ${id}`;
export const balanceOf = ({ credits, debits }: BookedAccount): bigint => credits - debits;

/** Posts a group whole, or gives why not; what was decided of its key once stays decided. */
export function postGroup(books: Books, call: Call, transfers: readonly Transfer[], createdBy: string): GroupResult {
  const { tenantId } = call;
  const key = at(tenantId, transfers[0]?.key ?? "");
  const content = JSON.stringify(transfers, (_key, value: unknown) => (typeof value === "bigint" ? `${value}` : value));
  const before = books.decided.get(key);
  if (before) {
    if (before.content === content) return before.result;
    return { refused: { ...refusedAt(transfers, 0, "KEY_REUSED"), message: "other content", askedMinor: 0n } };
  }
  const refused = refusalOfGroup(books, tenantId, transfers);
  const result: GroupResult = refused
    ? { refused }
    : { posted: { replayed: false, transfers: transfers.map((given) => book(books, call, given, createdBy)) } };
  books.decided.set(key, { content, result });
  return result;
}

/** Why a group cannot be posted, by its first transfer that cannot. */
function refusalOfGroup(books: Books, tenantId: string, transfers: readonly Transfer[]): Refused | undefined {
  const { accounts, closed } = books;
  const requested = new Map<string, bigint>();
  const ask = (id: string, minor: bigint): bigint => {
    const sum = (requested.get(id) ?? 0n) + minor;
    requested.set(id, sum);
    return sum;
  };
  for (const [index, transfer] of transfers.entries()) {
    const { debitAccountId, creditAccountId, amount, pendingKey } = transfer;
    const minor = amount?.amountMinor ?? 0n;
    if (pendingKey !== "") {
      const pending = pendingOf(books, tenantId, transfer);
      if (typeof pending === "string") return { ...refusedAt(transfers, index, pending), askedMinor: 0n };
      if (transfer.mode === "TRANSFER_MODE_POST_PENDING") ask(pending.transfer.creditAccountId, -minor);
      continue;
    }
    const debit = accounts.get(at(tenantId, debitAccountId));
    const credit = accounts.get(at(tenantId, creditAccountId));
    if (!debit || !credit) return refusedAt(transfers, index, "ACCOUNT_NOT_FOUND");
    const isClosed = [debitAccountId, creditAccountId].some((id) => closed.has(at(tenantId, id)));
    if (isClosed) return refusedAt(transfers, index, "ACCOUNT_CLOSED");
    const sum = ask(debitAccountId, minor);
    // What an earlier leg of the group brings can be taken by a later one.
    ask(creditAccountId, -minor);
    const isLimited = debit.account.flags.includes("ACCOUNT_FLAG_DEBITS_MUST_NOT_EXCEED_CREDITS");
    const isWithin = transfer.staysWithin === "ENTRY_SIDE_DEBIT";
    const available = balanceOf(debit) - debit.pending + (isLimited ? 0n : transfer.beyondMinor);
    if ((isLimited || isWithin) && available < sum) return refusedAt(transfers, index, "INSUFFICIENT_FUNDS", available);
    const isTooLarge = balanceOf(credit) + minor > maxInt64 || sum - balanceOf(debit) > maxInt64;
    if (isTooLarge) return refusedAt(transfers, index, "AMOUNT_TOO_LARGE");
  }
  return undefined;
}

function refusedAt(transfers: readonly Transfer[], index: number, code: string, availableMinor = 0n): Refused {
  const { key = "", amount } = transfers[index] ?? {};
  const requestedMinor = amount?.amountMinor ?? 0n;
  return {
    code,
    message: code,
    transferIndex: index,
    availableMinor,
    askedMinor: requestedMinor,
    replayed: false,
    transferKey: key,
  };
}

/** POST_PENDING and VOID_PENDING: what they name, or why they cannot. */
function pendingOf({ holds }: Books, tenantId: string, { pendingKey }: Transfer): Hold | string {
  const hold = holds.get(at(tenantId, pendingKey));
  if (hold === undefined) return "PENDING_NOT_FOUND";
  if (hold.state !== "PENDING") return "PENDING_ALREADY_RESOLVED";
  return hold.dueAt <= Date.now() ? "PENDING_EXPIRED" : hold;
}

/** Books one transfer of a group that nothing is against: posted, held, or a hold's end. */
function book(books: Books, { tenantId, interactionId }: Call, given: Transfer, createdBy: string) {
  const { accounts, holds, posted } = books;
  const hold = given.pendingKey === "" ? undefined : holds.get(at(tenantId, given.pendingKey));
  const { debitAccountId, creditAccountId } = hold?.transfer ?? given;
  const transfer = { ...given, debitAccountId, creditAccountId, amount: given.amount ?? hold?.transfer.amount };
  const debit = accounts.get(at(tenantId, debitAccountId))!;
  const credit = accounts.get(at(tenantId, creditAccountId))!;
  const minor = transfer.amount?.amountMinor ?? 0n;
  const isVoid = given.mode === "TRANSFER_MODE_VOID_PENDING";
  if (given.mode === "TRANSFER_MODE_PENDING") {
    const dueAt = Date.now() + Number(given.pendingTimeout?.seconds ?? 1_000_000n) * 1_000;
    holds.set(at(tenantId, given.key), { transfer: given, state: "PENDING", dueAt });
    debit.pending += minor;
  } else {
    if (hold !== undefined) {
      hold.state = isVoid ? "VOIDED" : "POSTED";
      debit.pending -= hold.transfer.amount?.amountMinor ?? 0n;
    }
    if (!isVoid) {
      debit.debits += minor;
      credit.credits += minor;
    }
  }
  posted.push({ transfer, tenantId, interactionId, createdBy });
  return {
    key: transfer.key,
    transferId: `t:${transfer.key}`,
    sequence: BigInt(posted.length),
    postedAt: new Date(),
    debitBalanceMinor: balanceOf(debit),
    creditBalanceMinor: balanceOf(credit),
    amountMinor: minor,
    day: books.today(),
    belongsTo: "",
  };
}

/** All entries of an account, the oldest first, as the ledger shows them. */
export function entriesOf({ posted }: Books, tenantId: string, accountId: string) {
  let balanceMinor = 0n;
  return posted
    .filter((one) => one.tenantId === tenantId)
    .flatMap(({ transfer, interactionId }, index) => {
      const isDebit = transfer.debitAccountId === accountId;
      if (!isDebit && transfer.creditAccountId !== accountId) return [];
      const { amountMinor = 0n, currency = "" } = transfer.amount ?? {};
      balanceMinor += isDebit ? -amountMinor : amountMinor;
      const side = isDebit ? ("ENTRY_SIDE_DEBIT" as const) : ("ENTRY_SIDE_CREDIT" as const);
      const postedAt = new Date(index);
      const { kind, description, key: entryId } = transfer;
      const shown = { entryId, kind, description, interactionId, executedAt: postedAt, effectiveAt: postedAt };
      return [{ ...shown, side, amount: { amountMinor, currency }, balanceMinor, sequence: BigInt(index) }];
    });
}
