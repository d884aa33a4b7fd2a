import { createHash, randomUUID } from "node:crypto";
import type { OrderParties } from "../../services/platform/plugins/party-contract.js";
import type { RecordedParties } from "../../services/platform/plugins/payout-contract.js";
import type { Behaviour } from "./behaviours.js";
import type { Books, PayoutRecord, PayoutStatus } from "./books.js";

/** What a client asks to be paid out. `amount` is decimal text in `currency`. */
export interface PayoutOrder {
  reference: string;
  amount: string;
  currency: string;
  method: string;
  creditParty: Record<string, string>;
  callbackUrl: string;
  /** Of contract 2. */
  parties?: Partial<OrderParties> | undefined;
}

export type RecallOutcome = { recalled: boolean; payout: PayoutRecord };

export type PayoutDesk = ReturnType<typeof createPayoutDesk>;

/**
 * The network's rules over its books: one payout per account and reference, whatever is asked how
 * often.
 */
export function createPayoutDesk(books: Books, now: () => number = Date.now) {
  /**
   * Records the order, or returns what this reference became before. Undefined: the reference
   * stands for other content.
   */
  function submit(account: string, order: PayoutOrder, behaviour: Behaviour): PayoutRecord | undefined {
    return books.inTransaction(() => {
      const content = contentOf(order);
      const known = books.find(account, order.reference);
      if (known !== undefined) {
        // A recall that came first leaves a RECALLED record without content: the order must not
        // revive it.
        return known.content === "" || known.content === content ? known : undefined;
      }
      const payout = newPayout(account, order, content, behaviour);
      books.insert(payout);
      const { originator, beneficiary } = order.parties ?? {};
      if (originator !== undefined && beneficiary !== undefined) {
        const parties = { originator: JSON.stringify(originator), beneficiary: JSON.stringify(beneficiary) };
        books.putParties({ account, reference: order.reference, ...parties });
      }
      const holder = order.creditParty["accountholdername"] ?? "";
      if (holder !== "") books.putHolder({ account, reference: order.reference, holder });
      return payout;
    });
  }

  function newPayout(account: string, order: PayoutOrder, content: string, behaviour: Behaviour): PayoutRecord {
    const at = now();
    const refused = behaviour.name === "REFUSE";
    const { reference, amount, currency, callbackUrl } = order;
    return {
      account,
      reference,
      payoutId: randomUUID(),
      amount,
      currency,
      content,
      status: refused ? "REFUSED" : "ACCEPTED",
      reason: refused || behaviour.name === "REFUSE_LATER" ? behaviour.reason : "",
      kept: behaviour.name === "RETURN" ? keptOf(amount, behaviour.kept) : "",
      next: refused || behaviour.name === "STALL" ? "" : behaviour.name === "REFUSE_LATER" ? "REFUSED" : "PAID",
      dueAt: at + behaviour.settleMs,
      tellTimes: behaviour.name === "ANSWER_TWICE" ? 2 : 1,
      callbackUrl,
      createdAt: at,
      changedAt: at,
    };
  }

  /**
   * Recalls a payout that is not yet paid. An unknown reference is recalled too, so that a late
   * order finds it closed.
   */
  function recall(account: string, reference: string): RecallOutcome {
    return books.inTransaction(() => {
      const known = books.find(account, reference);
      if (known === undefined) {
        const closed = recalledBeforeOrder(account, reference, now());
        books.insert(closed);
        return { recalled: true, payout: closed };
      }
      if (known.status !== "ACCEPTED") return { recalled: known.status === "RECALLED", payout: known };
      const payout: PayoutRecord = { ...known, status: "RECALLED", next: "", changedAt: now() };
      books.update(payout);
      notify(payout);
      return { recalled: true, payout };
    });
  }

  /**
   * Sends a paid payout back, less what the recipient's bank kept. Undefined when it is not paid.
   */
  function sendBack(account: string, reference: string, kept: string): PayoutRecord | undefined {
    return books.inTransaction(() => {
      const known = books.find(account, reference);
      if (known?.status !== "PAID") return undefined;
      return change({ ...known, kept: keptOf(known.amount, kept) }, "RETURNED");
    });
  }

  /**
   * Pays or refuses at once what was accepted. Undefined where it has ended in another way;
   * "unknown" where there is no such payout.
   */
  function settle(
    account: string,
    reference: string,
    status: "PAID" | "REFUSED",
    reason: string,
  ): PayoutRecord | "unknown" | undefined {
    return books.inTransaction(() => {
      const known = books.find(account, reference);
      if (known === undefined) return "unknown";
      if (known.status === status) return known;
      if (known.status !== "ACCEPTED") return undefined;
      return change({ ...known, reason }, status);
    });
  }

  /** Carries out what has become due. */
  function settleDue(): number {
    const due = books.due(now());
    for (const payout of due) {
      books.inTransaction(() => {
        const current = books.find(payout.account, payout.reference);
        if (current !== undefined && current.next !== "" && current.next === payout.next) change(current, current.next);
      });
    }
    return due.length;
  }

  function change(payout: PayoutRecord, status: PayoutStatus): PayoutRecord {
    const at = now();
    const willReturn = status === "PAID" && payout.kept !== "";
    const changed: PayoutRecord = {
      ...payout,
      status,
      next: willReturn ? "RETURNED" : "",
      dueAt: at + 300,
      changedAt: at,
    };
    books.update(changed);
    if (status === "PAID") books.addLine(changed, "PAYOUT", changed.amount, at);
    if (status === "RETURNED") books.addLine(changed, "RETURN", less(changed.amount, changed.kept), at);
    notify(changed);
    return changed;
  }

  function notify(payout: PayoutRecord): void {
    if (payout.callbackUrl === "") return;
    const body = JSON.stringify({
      type: `payout.${payout.status.toLowerCase()}`,
      account: payout.account,
      payout: payoutView(payout),
    });
    for (let time = 0; time < payout.tellTimes; time += 1) {
      books.addCallback({ callbackId: randomUUID(), url: payout.callbackUrl, body, attempts: 0, dueAt: now() });
    }
  }

  return { submit, recall, sendBack, settle, settleDue, find: books.find };
}

/** What the network shows of a payout, to a callback too: nobody is named. */
export function payoutView(payout: PayoutRecord) {
  const { payoutId, reference, amount, currency, status, reason, kept, changedAt } = payout;
  return {
    payoutId,
    reference,
    amount,
    currency,
    status,
    ...(reason !== "" && status === "REFUSED" ? { reason } : {}),
    ...(status === "RETURNED" ? { kept } : {}),
    changedAt: new Date(changedAt).toISOString(),
  };
}

/** Who pays and who is paid, as the books have it now. */
export function recordedOf(books: Books, { account, reference }: PayoutRecord): RecordedParties {
  const known = books.findParties(account, reference);
  if (known === undefined) return {};
  return { originator: JSON.parse(known.originator), beneficiary: JSON.parse(known.beneficiary) };
}

function contentOf({ amount, currency, method, creditParty, parties }: PayoutOrder): string {
  const parts = Object.entries(creditParty).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const stated = parties === undefined ? [] : [parties];
  return createHash("sha256")
    .update(JSON.stringify([amount, currency, method, parts, ...stated]))
    .digest("hex");
}

function recalledBeforeOrder(account: string, reference: string, at: number): PayoutRecord {
  const nothing = { amount: "0", currency: "", content: "", reason: "", kept: "", next: "" as const, callbackUrl: "" };
  return {
    account,
    reference,
    payoutId: randomUUID(),
    status: "RECALLED",
    dueAt: 0,
    tellTimes: 1,
    createdAt: at,
    changedAt: at,
    ...nothing,
  };
}

/** What is kept of an amount: never more than all of it, nor with more decimals than it has. */
function keptOf(amount: string, kept: string): string {
  const decimals = amount.split(".")[1]?.length ?? 0;
  const [whole = "0", fraction = ""] = kept.split(".");
  const shown = fraction.slice(0, decimals);
  const cut = shown === "" ? whole : `${whole}.${shown}`;
  const isMore = less(cut, amount).replaceAll(/[0.]/g, "") !== "";
  return isMore ? amount : cut;
}

/** Difference of two decimal texts, never below zero. */
function less(amount: string, kept: string): string {
  const decimals = Math.max(...[amount, kept].map((text) => text.split(".")[1]?.length ?? 0));
  const scaled = (text: string) =>
    BigInt((text.split(".")[0] ?? "0") + (text.split(".")[1] ?? "").padEnd(decimals, "0"));
  const rest = scaled(amount) - scaled(kept);
  const digits = (rest < 0n ? 0n : rest).toString().padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
