import type { Behaviour, BehaviourName } from "../../../deploy/partner/behaviours.js";
import type {
  Books,
  CallbackRecord,
  PartiesRecord,
  PayoutRecord,
  StatementLine,
} from "../../../deploy/partner/books.js";
import { createPayoutDesk, payoutView } from "../../../deploy/partner/payouts.js";
import type { PayoutConnector, PayoutOrder } from "../../../services/remittance/clients/payout-connector.js";
import type { KeyValue } from "../../../services/remittance/domain/credit-party.js";
import type { PartnerPayout } from "../../../services/remittance/domain/payout.js";
import { formatMoney, parseMoney } from "../../../services/kernel/money.js";
import { Refusal } from "../../../services/kernel/refusal.js";
import type { Process, Schedule, Tape } from "./schedule.js";

/**
 * A network between two processes: a request may be lost, or arrive late, or its answer may be
 * lost.
 */
export type Network = ReturnType<typeof createNetwork>;

export function createNetwork(schedule: Schedule, tape: Tape) {
  /** Requests whose sender has given up. */
  const late: (() => void)[] = [];
  return {
    late,
    async ask<T>(process: Process, work: () => T): Promise<T> {
      await schedule.step(process);
      const luck = tape.choose(10);
      if (luck === 7) throw unknown();
      if (luck === 8) {
        late.push(() => attempt(work));
        throw unknown();
      }
      const result = work();
      await schedule.step(process);
      if (luck === 9) throw unknown();
      return result;
    },
  };
}

const unknown = () => new Refusal("UNAVAILABLE", "nobody knows what became of it");

/** Of a request that nobody waits for, nobody hears the refusal. */
function attempt(work: () => unknown): void {
  try {
    work();
  } catch {
    // Refused.
  }
}

/** The partner's books in memory, under the rules of the sandbox partner. */
function createBooks(callbacks: CallbackRecord[]): Books & { allLines: StatementLine[]; payouts: PayoutRecord[] } {
  const payouts = new Map<string, PayoutRecord>();
  const parties = new Map<string, PartiesRecord>();
  const lines: StatementLine[] = [];
  return {
    get payouts() {
      return [...payouts.values()];
    },
    allLines: lines,
    inTransaction: (work) => work(),
    find: (_account, reference) => payouts.get(reference),
    insert: (payout) => void payouts.set(payout.reference, payout),
    update: (payout) => void payouts.set(payout.reference, payout),
    findParties: (_account, reference) => parties.get(reference),
    putParties: (record) => void parties.set(record.reference, record),
    putHolder: () => undefined,
    findAmendment: () => undefined,
    putAmendment: () => undefined,
    due: (now) => [...payouts.values()].filter(({ next, dueAt }) => next !== "" && dueAt <= now),
    nextDueAt: () => undefined,
    addLine: ({ account, reference, payoutId, currency }, kind, amount, at) =>
      void lines.push({ lineId: lines.length + 1, account, reference, payoutId, kind, amount, currency, at }),
    lines: () => lines,
    addCallback: (callback) => void callbacks.push(callback),
    dueCallbacks: () => callbacks,
    postponeCallback: () => undefined,
    removeCallback: () => undefined,
    close: () => undefined,
  } as Books & { allLines: StatementLine[]; payouts: PayoutRecord[] };
}

const behaviours: BehaviourName[] = ["ACCEPT", "REFUSE", "REFUSE_LATER", "RETURN", "ANSWER_TWICE", "ACCEPT"];
const keeps = ["0", "100", "1"];
const account = "tenant";

export type Partner = ReturnType<typeof createPartner>;

export function createPartner(network: Network, tape: Tape, now: () => number) {
  const callbacks: CallbackRecord[] = [];
  /** Whom it was told to pay, each time that it was. */
  const handed: (readonly KeyValue[])[] = [];
  const books = createBooks(callbacks);
  const desk = createPayoutDesk(books, now);

  function behaviour(reference: string): Behaviour {
    const isKnown = books.find(account, reference) !== undefined;
    const name = isKnown ? "ACCEPT" : (behaviours[tape.choose(behaviours.length)] as BehaviourName);
    const kept = name === "RETURN" ? (keeps[tape.choose(keeps.length)] as string) : "";
    return { name, settleMs: [200, 0, 40_000][isKnown ? 0 : tape.choose(3)] as number, delayMs: 0, reason: "no", kept };
  }

  function submit({ reference, amount, method, creditParty, parties }: PayoutOrder): PartnerPayout {
    handed.push(creditParty);
    const party = Object.fromEntries(creditParty.map(({ key, value }) => [key, value]));
    const order = { reference, method, creditParty: party, callbackUrl: "http://gateway/callbacks", parties };
    const content = { ...order, amount: formatMoney(amount), currency: amount.currency };
    const payout = desk.submit(account, content, behaviour(reference));
    if (payout === undefined) throw new Refusal("STATE_CONFLICT", "this reference stands for another payout");
    return reportOf(payout);
  }

  return {
    desk,
    books,
    handed,
    /** Not yet delivered. Delivering one does not take it away: it may be told again. */
    callbacks,
    connectorOf: (process: Process): PayoutConnector => ({
      submit: (order) => network.ask(process, () => submit(order)),
      submitBatch: (_reference, orders) =>
        network.ask(process, () => {
          // Some of a batch may not be recorded.
          for (const order of orders) if (tape.choose(5) !== 4) submit(order);
        }),
      find: (reference) =>
        network.ask(process, () => {
          const known = desk.find(account, reference);
          return known && reportOf(known);
        }),
      recall: (reference) => network.ask(process, () => reportOf(desk.recall(account, reference).payout)),
      amend: () => network.ask(process, () => undefined),
      nextWindow: () => network.ask(process, () => new Date(Math.ceil((now() + 1) / 10_000) * 10_000)),
      async *statement() {},
    }),
  };
}

function reportOf(payout: PayoutRecord): PartnerPayout {
  const {
    status,
    amount,
    currency,
    reason = "",
    kept,
  } = payoutView(payout) as ReturnType<typeof payoutView> & {
    reason?: string;
    kept?: string;
  };
  return {
    status,
    reason,
    ...(currency !== "" && { amount: parseMoney(amount, currency) }),
    ...(kept !== undefined && { kept: parseMoney(kept, currency) }),
  };
}
