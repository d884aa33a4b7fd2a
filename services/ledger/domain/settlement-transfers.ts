import type { Account, AccountInfo, Metadata, NewTransfer } from "./model.js";
import { ownAccountId, soleAccountId } from "./own-accounts.js";
import { isInbound, type Settlement, type SettlementKind, type SettlementTerms } from "./settlement.js";

/** Where exchanges of settlements stand, beside those of payouts. */
export const settlementPosition = "exchange_position";

const feeCodes: Record<SettlementKind, string> = {
  PARTNER: "partner_fees",
  MERCHANT: "partner_fees",
  ACQUIRER: "card_fees",
  BANK: "bank_fees",
  TAX: "bank_fees",
  OTHER: "operating_expense",
};

type Posted = SettlementTerms & Pick<Settlement, "settlementId" | "valueAt">;
type Movement = Pick<NewTransfer, "debitAccountId" | "creditAccountId"> & { minor: bigint; currency: string };

/** An account of the ledger's own, and whose costs it has: nobody's in particular where empty. */
interface NeededAccount {
  code: string;
  currency: string;
  of: string;
}

/** Accounts of the ledger's own that its transfers need. */
export function accountsNeeded(terms: SettlementTerms): NeededAccount[] {
  const { amount, cost, feeMinor } = terms;
  const position = (currency: string) => ({ code: settlementPosition, currency, of: "" });
  return [
    ...(amount.currency === cost.currency ? [] : [position(amount.currency), position(cost.currency)]),
    ...(feeMinor > 0n ? [feeAccount(terms)] : []),
  ];
}

/** Each partner's and biller's costs are apart, as what it is owed is. */
function feeAccount({ kind, accountId, cost }: SettlementTerms): NeededAccount {
  const code = feeCodes[kind];
  const isApart = code === "partner_fees";
  return { code, currency: cost.currency, of: isApart ? accountId.split(":").slice(1, -1).join(":") : "" };
}

/**
 * One linked group. What leaves the account goes to the bank, or, where the bank holds another
 * currency, over the exchange position; what was kept is an expense in the currency of the cost.
 */
export function settlementTransfers(terms: Posted, account: Pick<AccountInfo, "type">): NewTransfer[] {
  const inbound = isInbound(account);
  const { accountId, amount, cost, feeMinor } = terms;
  const isExchange = amount.currency !== cost.currency;
  const { code, of, currency: feeCurrency } = feeAccount(terms);
  const fees = ownAccountId(code, feeCurrency, of);
  const bank = (fromBank: string, minor: bigint) => between(terms.bankAccountId, fromBank, minor, cost.currency);
  const owed = (toOwed: string, { minor, currency }: { minor: bigint; currency: string }) =>
    between(toOwed, accountId, minor, currency);
  const position = (currency: string) => soleAccountId(settlementPosition, currency);
  /** Debits `one` and credits `other` where we are paid; the other way round where we pay. */
  function between(one: string, other: string, minor: bigint, currency: string): Movement {
    return inbound
      ? { debitAccountId: one, creditAccountId: other, minor, currency }
      : { debitAccountId: other, creditAccountId: one, minor, currency };
  }
  const kept = (creditAccountId: string): Movement => ({
    debitAccountId: fees,
    creditAccountId,
    minor: feeMinor,
    currency: cost.currency,
  });
  const parts: Record<string, Movement> = isExchange
    ? {
        amount: owed(position(amount.currency), amount),
        cost: bank(position(cost.currency), inbound ? cost.minor : cost.minor - feeMinor),
        fee: kept(inbound ? position(cost.currency) : terms.bankAccountId),
      }
    : {
        amount: owed(terms.bankAccountId, { ...amount, minor: inbound ? cost.minor : amount.minor }),
        fee: kept(inbound ? accountId : terms.bankAccountId),
      };
  return Object.entries(parts)
    .filter(([, { minor }]) => minor > 0n)
    .map(([part, movement]) => transferOf(terms, part, movement));
}

/** What was posted, the other way round, whole and once. */
export function reversalTransfers(
  { settlementId, reference }: Pick<Settlement, "settlementId" | "reference">,
  postedKeys: readonly string[],
): NewTransfer[] {
  return postedKeys.map((key) => ({
    key: `${key}:reversal`,
    mode: "POSTED",
    debitAccountId: "",
    creditAccountId: "",
    kind: "settlement_reversal",
    refersTo: key,
    description: `Reversal of settlement ${reference}`,
    metadata: metadataOf(settlementId, reference),
  }));
}

function transferOf(terms: Posted, part: string, { minor, currency, ...sides }: Movement): NewTransfer {
  const { settlementId, accountId, reference, valueAt, isPrefund } = terms;
  const side = sides.debitAccountId === accountId ? "DEBIT" : "CREDIT";
  const empties = sides.debitAccountId === accountId || sides.creditAccountId === accountId;
  return {
    key: `settlement:${settlementId}:${part}`,
    mode: "POSTED",
    ...sides,
    amount: { minor, currency },
    ...(empties && !isPrefund && { staysWithin: side }),
    kind: `settlement_${part}`,
    refersTo: "",
    effectiveAtMs: valueAt.getTime(),
    refusesLate: true,
    description: `Settlement ${reference}`,
    metadata: metadataOf(settlementId, reference),
  };
}

/** By name. */
function metadataOf(settlementId: string, reference: string): Metadata {
  return [
    ["reference", reference],
    ["settlement", settlementId],
  ];
}

/** Of the accounts by id; throws where one is not there. */
export function accountIn(accounts: ReadonlyMap<string, Account>, accountId: string): Account {
  const account = accounts.get(accountId);
  if (account === undefined) throw new Error(`account ${accountId} is not there`);
  return account;
}
