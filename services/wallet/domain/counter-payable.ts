import { Refusal } from "../../kernel/refusal.js";
import type { KeptCode } from "../../kernel/text/spoken-code.js";
import type { OwnAccount } from "./movement.js";
import { ownAccount } from "./payable.js";
import type { Payment, PaymentRefund } from "./payment.js";
import { tillAccount, type Till } from "./till.js";
import type { PlannedTransfer } from "./transfers.js";

/** What is kept of the code that the sender says. */
export interface PayableCode extends KeptCode {
  readonly codeId: string;
  /** Wrong ones since it was issued. */
  readonly tries: number;
  /** User id. */
  readonly issuedBy: string;
  readonly issuedAt: Date;
}

/** A document that whoever gave the cash has seen. */
export interface SeenDocument {
  readonly type: string;
  /** The last four characters of its number. */
  readonly ending: string;
  /** It was on file of the sender. */
  readonly isOnFile?: true;
}

/** What came back of a counter sale, until its sender has it in cash. */
export interface CounterPayable {
  readonly payableId: string;
  readonly paymentId: string;
  /** The sender. */
  readonly customerId: string;
  readonly transactionId: string;
  readonly transactionCode: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly status: "OPEN" | "PAYING" | "PAID";
  readonly createdAt: Date;
  /** Absent until one was issued. */
  readonly code?: PayableCode;
  readonly paidAt?: Date;
  /** User id. */
  readonly paidBy?: string;
  readonly tillId?: string;
  readonly document?: SeenDocument;
}

/** As the movement that pays it keeps it: nothing that the code could be found by. */
export type GivenPayable = Omit<CounterPayable, "code"> & { readonly code?: Omit<PayableCode, keyof KeptCode> };

export function givenPayable(
  { code, ...payable }: CounterPayable,
  by: Pick<CounterPayable, "paidBy" | "tillId" | "document">,
): GivenPayable {
  if (code === undefined) return { ...payable, ...by };
  const { codeId, tries, issuedBy, issuedAt } = code;
  return { ...payable, ...by, code: { codeId, tries, issuedBy, issuedAt } };
}

/** As many as of a pickup. */
export const maxTries = 5;

export const documentTypes = ["PASSPORT", "NATIONAL_ID", "DRIVING_LICENCE", "RESIDENCE_PERMIT", "TAX_ID"] as const;
export type DocumentType = (typeof documentTypes)[number];

/** Owed to senders of counter sales that came back; the ledger gives no more than came back. */
export function counterPayableAccount(currency: string): OwnAccount {
  const account = ownAccount("counter_payable", currency, "Owed in cash to senders");
  return { ...account, flags: ["ACCOUNT_FLAG_DEBITS_MUST_NOT_EXCEED_CREDITS"] };
}

/**
 * What is owed in cash of what newly came back; undefined where a wallet paid, and where nothing
 * did. Each part is one of its own.
 */
export function payableOfRefund(
  { paymentId, payableId: transactionId, customerId, total, sale, refund: known }: Payment,
  { amount }: PaymentRefund,
  made: Pick<CounterPayable, "payableId" | "createdAt">,
): CounterPayable | undefined {
  const amountMinor = amount.minor - (known?.amount.minor ?? 0n);
  if (sale === undefined || amountMinor <= 0n) return undefined;
  const { transactionCode } = sale;
  const of = { paymentId, customerId, transactionId, transactionCode };
  return { ...made, ...of, amountMinor, currency: total.currency, status: "OPEN" };
}

/** The liability → till's credit. */
export function transferOfCounterPayable(
  { payableId, amountMinor: minor, currency, transactionCode }: CounterPayable,
  till: Pick<Till, "cashierId" | "currency">,
  movementId: string,
): PlannedTransfer {
  return {
    // Of the movement: one that the ledger refused does not decide about the next.
    key: `counter-payable:${movementId}`,
    debitAccountId: counterPayableAccount(currency).accountId,
    creditAccountId: tillAccount(till).accountId,
    amount: { minor, currency },
    kind: "counter_payable",
    description: `Paid back in cash ${transactionCode} ${payableId}`,
  };
}

/** Refuses PICKUP_CODE_LOCKED after five wrong codes, and where none was issued. */
export function assertMayTry({ code }: CounterPayable): PayableCode {
  if (code === undefined) throw new Refusal("PICKUP_CODE_LOCKED", "no code was issued yet");
  if (code.tries >= maxTries) throw codeLocked();
  return code;
}

/**
 * Whoever sold could cancel, issue the code and take the cash alone: a code that staff issued is
 * paid by another of them. Refuses FORBIDDEN.
 */
export function assertIssuedByAnother({ code }: CounterPayable, cashierId: string): void {
  if (code?.issuedBy !== cashierId) return;
  throw new Refusal("FORBIDDEN", "you issued the code: the sender, a manager or a colleague has to issue it, or pay");
}

export function codeLocked(): Refusal {
  return new Refusal("PICKUP_CODE_LOCKED", "it was wrong too often: the sender has to ask for a new code");
}

/**
 * The document as it is kept. Undefined where the sender has documents on file and this is none of
 * them.
 */
export function seenDocument(
  { type, number }: { type: DocumentType; number: string },
  { onFile, anyOnFile }: { onFile: boolean; anyOnFile: boolean },
): SeenDocument | undefined {
  if (anyOnFile && !onFile) return undefined;
  const ending = number
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .slice(-4)
    .toUpperCase();
  return { type, ending, ...(onFile && { isOnFile: true }) };
}
