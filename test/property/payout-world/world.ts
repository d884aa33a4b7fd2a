import type { Transaction } from "../../../services/remittance/domain/transaction.js";
import { Refusal } from "../../../services/kernel/refusal.js";
import { createCompliance } from "./compliance.js";
import { createDatabase, createOutbox, type Row } from "./database.js";
import { createEvents } from "./events.js";
import { createHits } from "./hits.js";
import { createLedger } from "./ledger.js";
import { createNetwork, createPartner } from "./partner.js";
import { createPayer, walletAccountId } from "./payer.js";
import { createReplica, type Replica, type ReplicaDeps } from "./replica.js";
import { checkStored, createOfficer } from "./officer.js";
import { createSchedule, settled, type Process, type Tape } from "./schedule.js";

export type World = ReturnType<typeof createWorld>;

const maxTurns = 4_000;
const openingBalance = 1_000_00n;

/**
 * One transaction from its first payment to its end, among processes that die, networks that lose
 * and a partner that does as it likes.
 */
export function createWorld(tape: Tape, transaction: Transaction) {
  const { transactionId } = transaction;
  let time = transaction.createdAt.getTime();
  const now = () => time;
  const log: string[] = [];
  const schedule = createSchedule();
  const database = createDatabase(schedule, tape);
  const outbox = createOutbox(database, now);
  const network = createNetwork(schedule, tape);
  const hits = createHits(now);
  const partner = hits.watching(createPartner(network, tape, now));
  const isPoor = tape.choose(12) === 11;
  const ledger = createLedger(network, walletAccountId, isPoor ? 1n : openingBalance);
  if (transaction.recipientWallet !== undefined) ledger.open([transaction.recipientWallet.accountId]);
  const compliance = createCompliance(network, hits);
  const events = createEvents(network);
  const current = () => database.get<Transaction>(`transaction:${transactionId}`)!;
  database.set(`transaction:${transactionId}`, transaction);

  // Two processes of remittance and one of wallet; whoever waits for one that dies is told so.
  const waiters = new Map<Process, Set<(error: Error) => void>>();
  let born = 0;
  const newProcess = (kind: string): Process => {
    const process = { name: `${kind}-${++born}`, isDead: false };
    waiters.set(process, new Set());
    return process;
  };
  const deps = (process: Process): ReplicaDeps => ({
    schedule,
    database,
    outbox,
    partner,
    ledger,
    now,
    compliance: compliance.clientOf(process) as never,
    events: events.clientOf(process),
    wallet: {
      markTransactionCompleted: () => network.ask(process, () => ({})),
      markPaymentRefunded: ({ refunded, refundedAt }) =>
        network.ask(process, () => {
          payer.markRefunded(refunded?.amountMinor ?? -1n, refundedAt as Date);
          return {};
        }),
    },
  });
  const newReplica = (): Replica => {
    const process = newProcess("remittance");
    return createReplica(deps(process), process);
  };
  const replicas = [newReplica(), newReplica()];
  let walletProcess = newProcess("wallet");
  let isPaying = false;
  const payer = createPayer({ schedule, network, ledger, transaction, remittance: callReplica });
  const hasPayer = tape.choose(8) !== 7;
  const hearsCallbacks = tape.choose(3) !== 2;

  /** A request to one of the processes, whose answer may be lost. */
  async function callReplica<T>(caller: Process, work: (replica: Replica) => Promise<T>): Promise<T> {
    await schedule.step(caller);
    const luck = tape.choose(10);
    if (luck === 7) throw away();
    const replica = replicas[tape.choose(2)] as Replica;
    const answer = serve(replica, work);
    if (luck === 8) {
      answer.catch(() => undefined);
      throw away();
    }
    return answer;
  }

  function serve<T>(replica: Replica, work: (replica: Replica) => Promise<T>): Promise<T> {
    const dying = waiters.get(replica.process)!;
    return new Promise<T>((resolve, reject) => {
      dying.add(reject);
      work(replica)
        .then(resolve, reject)
        .finally(() => dying.delete(reject));
    });
  }

  /** Starts a request that nobody waits for. */
  function start(what: string, work: (replica: Replica) => Promise<unknown>, at = 0): void {
    log.push(what);
    serve(replicas[at] as Replica, work).catch(() => undefined);
  }

  function kill(process: Process): void {
    log.push(`kill ${process.name}`);
    schedule.kill(process);
    for (const row of outbox.rows()) {
      if (row.token.startsWith(`${process.name} `)) outbox.put({ ...row, leasedUntil: time + 10_000 });
    }
    for (const reject of waiters.get(process) ?? []) reject(away());
  }

  function take(row: Row, at: number): void {
    const replica = replicas[at] as Replica;
    const token = `${replica.process.name} ${row.id} ${row.attempts + 1}`;
    log.push(`${replica.process.name} takes ${row.kind}`);
    outbox.put({ ...row, token, attempts: row.attempts + 1, leasedUntil: Infinity });
    void replica.run(row, token);
  }

  function pay(): void {
    isPaying = true;
    const process = walletProcess;
    log.push(`${process.name} drives the payment`);
    payer.drive(process).then(
      () => (isPaying = false),
      () => {
        if (walletProcess === process) isPaying = false;
      },
    );
  }

  function deliver(index: number, keep: boolean): void {
    const callback = partner.callbacks[index];
    if (callback === undefined) return;
    if (!keep) partner.callbacks.splice(index, 1);
    const { payout } = JSON.parse(callback.body) as { payout: { status: "PAID" } };
    start(
      `callback ${payout.status}`,
      (replica) => replica.callback(transactionId, callback.callbackId, payout.status),
      tape.choose(2),
    );
  }

  const due = () => outbox.takeable().filter(({ dueAt }) => dueAt <= time);
  let isLatePosting = false;
  /** Later than any deadline, which the time that a block waits for the ledger counts on. */
  function deliverLate(index: number): void {
    const posted = ledger.posted.size;
    network.late.splice(index, 1)[0]?.();
    if (ledger.posted.size > posted && current().status === "BLOCKED") isLatePosting = true;
  }

  let readTo = 0;
  let isReading = false;
  const unreadReturn = () =>
    !isReading && partner.books.allLines.some(({ kind, lineId }) => kind === "RETURN" && lineId > readTo);

  /** Each line is heard once, whatever state the transaction is in by then. */
  function readReturn(): void {
    isReading = true;
    const last = partner.books.allLines.length;
    log.push("statement");
    serve(replicas[0] as Replica, (replica) => replica.readReturn(transactionId)).then(
      () => {
        readTo = last;
        isReading = false;
      },
      () => (isReading = false),
    );
  }

  const isOverdue = () =>
    current().status === "AWAITING_PAYMENT" && (current().expiresAt?.getTime() ?? Infinity) <= time;

  const officer = createOfficer(tape, {
    tell: (what, work, at) => start(what, work, at),
    block: (replica, blockId) => replica.block(transactionId, blockId),
  });

  /** Nothing moves any more but what compliance says. */
  const pollBlock = () =>
    isLatePosting ||
    checkStored(current(), {
      isPaid: payer.status() === "SUCCESS",
      clearing: ledger.balance(`remittance_clearing:${transaction.price.principal.currency}`),
      paidIn: (isPoor ? 1n : openingBalance) - ledger.balance(walletAccountId),
    });

  /** What happens where nothing goes wrong. False when there is nothing left to happen. */
  async function goOn(): Promise<boolean> {
    const [row] = due();
    if (schedule.waiting() > 0) await schedule.release(0);
    else if (row !== undefined) take(row, 0);
    else if (hasPayer && !payer.isOver() && !isPaying) pay();
    else if (hearsCallbacks && partner.callbacks.length > 0) deliver(0, false);
    else if (network.late.length > 0) deliverLate(0);
    else if (partner.desk.settleDue() > 0) log.push("partner settles");
    else if (unreadReturn()) readReturn();
    else if (isOverdue()) start("expiry", (replica) => replica.expire(transactionId));
    else if (!waitForNext()) {
      pollBlock();
      return officer.isOver() ? false : officer.goOn();
    }
    return true;
  }

  function waitForNext(): boolean {
    const leased = outbox.rows().filter(outbox.isOpen);
    const times = [
      ...leased.map(({ dueAt, leasedUntil }) => Math.max(dueAt, leasedUntil)),
      ...partner.books.payouts.filter(({ next }) => next !== "").map(({ dueAt }) => dueAt),
      ...(current().status === "AWAITING_PAYMENT" ? [current().expiresAt?.getTime() ?? Infinity] : []),
    ].filter((at) => at > time && at < Infinity);
    if (times.length === 0) return false;
    time = Math.min(...times);
    return true;
  }

  let [cancels, amends] = [0, 0];
  /** What the history has in store; everything here may happen at any moment. */
  const surprises: (() => unknown)[] = [
    () => schedule.waiting() > 0 && schedule.release(tape.choose(schedule.waiting())),
    () => schedule.waiting() > 0 && schedule.release(tape.choose(schedule.waiting())),
    () => {
      const at = tape.choose(2);
      kill((replicas[at] as Replica).process);
      replicas[at] = newReplica();
    },
    () => {
      kill(walletProcess);
      walletProcess = newProcess("wallet");
      isPaying = false;
    },
    () => {
      const rows = due();
      if (rows.length > 0) take(rows[tape.choose(rows.length)] as Row, tape.choose(2));
    },
    // A process that slept past its lease: another takes the row while it still believes that it
    // has it.
    () => {
      const held = outbox.rows().filter(({ state, leasedUntil }) => state === "DUE" && leasedUntil > time);
      const row = held[tape.choose(Math.max(1, held.length))];
      if (row !== undefined) outbox.put({ ...row, leasedUntil: time, dueAt: time });
    },
    () => partner.desk.settleDue(),
    () => deliver(tape.choose(Math.max(1, partner.callbacks.length)), true),
    () => partner.callbacks.splice(0, 1),
    () => ++cancels <= 3 && start("cancel", (one) => one.cancel(transactionId, `cancel-${cancels}`), tape.choose(2)),
    () => ++amends <= 4 && start("amend", (one) => one.amend(transactionId, `Ngozi ${amends}`), tape.choose(2)),
    () => (time += [100, 3_000, 20_000, 31 * 60_000][tape.choose(4)] as number),
    () => deliverLate(tape.choose(Math.max(1, network.late.length))),
    () => partner.desk.sendBack("tenant", transactionId, ["0", "50"][tape.choose(2)] as string),
    () => hasPayer && !isPaying && pay(),
    () => start("expiry", (replica) => replica.expire(transactionId), tape.choose(2)),
    () => unreadReturn() && readReturn(),
    () => officer.block(),
    () => officer.block(),
    () => officer.release(),
    () => log.push(hits.holdReceived()),
    () => log.push(hits.open()),
    () => start("no hit stands", (replica) => replica.resume(), tape.choose(2)),
    () => {
      if (transaction.recipientWallet === undefined) return;
      log.push("the recipient's wallet is closed");
      ledger.close(transaction.recipientWallet.accountId);
    },
  ];

  return {
    log,
    hits: { ...hits, held: compliance.held },
    officer,
    current,
    outbox,
    partner,
    ledger,
    payer,
    reservation: compliance.told,
    told: events.told,
    opening: isPoor ? 1n : openingBalance,
    /** Runs the history to its end. Throws where there is none. */
    async run(): Promise<void> {
      for (let turn = 0; turn < maxTurns; turn++) {
        const luck = tape.choose(40);
        if (luck >= 40 - surprises.length) await surprises[luck - (40 - surprises.length)]!();
        else if (!(await goOn())) return;
        await settled();
      }
      throw new Error("the history does not end");
    },
  };
}

const away = () => new Refusal("UNAVAILABLE", "remittance is away");
