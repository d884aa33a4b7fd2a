import { createHash } from "node:crypto";
import type { OrderBeneficiary, Originator } from "../../services/platform/plugins/party-contract.js";
import type { Behaviour } from "./behaviours.js";
import type { BankBooks, BankTransferRecord, CardChargeRecord, CardChargeStatus } from "./bank-books.js";

export interface TransferOrder {
  amount: string;
  currency: string;
  bankCode: string;
  accountNumber: string;
  accountHolderName: string;
  narration: string;
  originator?: Originator | undefined;
  beneficiary?: OrderBeneficiary | undefined;
}

export interface ChargeOrder {
  cardToken: string;
  amount: string;
  currency: string;
}

export type BankDesk = ReturnType<typeof createBankDesk>;

/**
 * The bank's rules over its books: one transfer and one charge per account and reference, whatever
 * is asked how often.
 */
export function createBankDesk(books: BankBooks, now: () => number = Date.now) {
  /** A transfer as it is `at` an instant: what was due by itself has happened. */
  function find(account: string, reference: string, at = now()): BankTransferRecord | undefined {
    let transfer = books.findTransfer(account, reference);
    while (transfer !== undefined && transfer.next !== "" && transfer.dueAt <= at) {
      const comesBack = transfer.next === "PAID" && transfer.returnAfterMs >= 0;
      transfer = {
        ...transfer,
        status: transfer.next,
        next: comesBack ? "RETURNED" : "",
        dueAt: transfer.dueAt + Math.max(0, transfer.returnAfterMs),
      };
      books.moveTransfer(transfer);
    }
    return transfer;
  }

  /**
   * Records the order, or gives what its reference became before. Undefined: the reference stands
   * for other content.
   */
  function submit(account: string, reference: string, order: TransferOrder, behaviour: Behaviour) {
    const content = hashOf(order);
    const known = find(account, reference);
    if (known !== undefined) return known.content === content ? known : undefined;
    // The answer is of this moment, however long the books take to write.
    const at = now();
    const isRefused = behaviour.name === "REFUSE";
    const isRefusedLater = behaviour.name === "REFUSE_LATER";
    const transfer: BankTransferRecord = {
      account,
      reference,
      content,
      status: isRefused ? "REFUSED" : "ACCEPTED",
      reason: isRefused || isRefusedLater || behaviour.name === "RETURN" ? behaviour.reason : "",
      next: isRefused || behaviour.name === "STALL" ? "" : isRefusedLater ? "REFUSED" : "PAID",
      dueAt: at + behaviour.settleMs,
      returnAfterMs: behaviour.name === "RETURN" ? behaviour.delayMs : -1,
    };
    const { originator, beneficiary } = order;
    if (originator !== undefined && beneficiary !== undefined) {
      books.putParties({ account, reference, parties: JSON.stringify({ originator, beneficiary }) });
    }
    books.insertTransfer(transfer);
    return find(account, reference, at);
  }

  /**
   * As submit, of a card: its token decides the outcome, unless a rule refuses it or leaves it
   * pending.
   */
  function charge(
    account: string,
    reference: string,
    order: ChargeOrder,
    { name, reason }: Pick<Behaviour, "name" | "reason"> = { name: "ACCEPT", reason: "" },
  ): CardChargeRecord | undefined {
    const content = hashOf(order);
    const known = books.findCharge(account, reference);
    if (known !== undefined) return known.content === content ? known : undefined;
    const made: CardChargeRecord = { account, reference, content, ...outcomeOf(order.cardToken) };
    if (name === "REFUSE") Object.assign(made, { status: "REFUSED", reason });
    if (name === "STALL") Object.assign(made, { status: "PENDING", reason: "" });
    books.insertCharge(made);
    return made;
  }

  return { find, submit, charge };
}

function outcomeOf(cardToken: string): { status: CardChargeStatus; reason: string } {
  if (cardToken === "tok_ok") return { status: "CAPTURED", reason: "" };
  if (cardToken === "tok_pending") return { status: "PENDING", reason: "" };
  return { status: "REFUSED", reason: cardToken === "tok_refused" ? "the card was declined" : "unknown card" };
}

function hashOf(order: object): string {
  return createHash("sha256")
    .update(JSON.stringify(Object.entries(order).sort(([one], [other]) => (one < other ? -1 : 1))))
    .digest("hex");
}

const bankNames: Readonly<Record<string, string>> = {
  "011": "First Bank of Nigeria",
  "033": "United Bank for Africa",
  "044": "Access Bank",
  "057": "Zenith Bank",
  "058": "Guaranty Trust Bank",
};

export function bankNameOf(bankCode: string): string {
  return bankNames[bankCode] ?? `Bank ${bankCode}`;
}
