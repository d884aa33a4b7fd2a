import type { Clock } from "../../../kernel/time/clock.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import { compareMoney } from "../../../kernel/money.js";
import { isDuplicateKey } from "../../../kernel/mongo/transaction.js";
import type { Breakers } from "../../../platform/partners/breakers.js";
import type { CallSubject, MadeCall } from "../../../platform/partners/sender.js";
import { Refusal } from "../../../kernel/refusal.js";
import type { BankMessage, BankOrder } from "../../domain/bank-files.js";
import { payoutOfReports } from "../../domain/bank-reports.js";
import type { PartnerPayout } from "../../domain/payout.js";
import type { PartnerStatementLine } from "../../domain/reconcile.js";
import type { RemittanceStore } from "../../store/index.js";
import { PartiesUntold, type PayoutConnector, type PayoutOrder } from "../payout-connector.js";
import { isCarried } from "./carried.js";
import type { BankConfiguration } from "./configuration.js";
import type { BankFolders } from "./folders.js";
import { unpayable } from "./fit.js";
import { initiationKind, initiationOf } from "./initiation.js";
import { batchIdOf, bankIdOf } from "./names.js";
import type { ValidateDocument } from "./schemas.js";
import { fileTries } from "./tries.js";

export interface FileConnectorOptions {
  tenantId: string;
  installationId: string;
  configuration: BankConfiguration;
  store: RemittanceStore;
  folders: ReturnType<BankFolders["of"]>;
  validate: ValidateDocument;
  clock: Clock;
  /** The organisation's, where the bank names none. */
  timeZoneOf: (tenantId: string) => Promise<string>;
  breakers: Breakers;
  onCall: (made: MadeCall) => void;
}

// Longer than a file that is read at all is tried.
const unreadForMs = 15 * 60_000;
// Each one means that another replica recorded the same order meanwhile.
const maxTries = 5;

/**
 * A bank that takes files. A file lies ready on the disk, then its orders are recorded, then
 * it is moved to where the bank sees it: whatever is cut off between, each order is in one
 * file that the bank sees, once.
 */
export function createFileConnector(options: FileConnectorOptions): PayoutConnector {
  const { tenantId, installationId, configuration, store, folders, clock, onCall } = options;
  const files = store.forTenant(tenantId).bankFiles;
  const handOver = createHandOver(options);
  const tries = fileTries(options);

  async function noted<T>(subject: CallSubject, work: () => Promise<T>): Promise<T> {
    const [at, startedAt] = [new Date(), performance.now()];
    let outcome: MadeCall["outcome"] = "UNKNOWN";
    try {
      const result = await work();
      outcome = "OK";
      return result;
    } finally {
      const durationMs = Math.round(performance.now() - startedAt);
      onCall({ ...subject, at, status: outcome === "OK" ? 200 : 0, durationMs, outcome });
    }
  }

  const asking = <T>(operation: string, reference: string, work: () => Promise<T>): Promise<T> =>
    options.breakers.through(tenantId, () => noted({ operation, reference }, work));

  async function orderOf(reference: string): Promise<BankOrder | undefined> {
    return (await files.findOrders(installationId, "reference", [reference]))[0];
  }

  async function payoutOf({ reference, messageId, amount }: BankOrder): Promise<PartnerPayout> {
    if (amount === undefined) return { status: "RECALLED", reason: "" };
    await handOver.complete([messageId]);
    const ask = async () => payoutOfReports(amount, await files.listReports(installationId, [reference]));
    const result = await ask();
    if (result.status !== "REFUSED") return result;
    // A file that came before the refusal and is not read yet may say that it was paid.
    const unread = await tries.unended(await folders.list("in"));
    // One that was being read a moment ago counts by now.
    if (unread.length === 0) return ask();
    const isLong = unread.some(({ changedAt }) => Date.now() - changedAt.getTime() > unreadForMs);
    const unclear = "refused it, and another file of it cannot be read";
    return { status: "ACCEPTED", reason: "", amount, ...(isLong && { unclear }) };
  }

  return {
    async submit(order, _call) {
      // What lies in a file says what it said then. The bank is not away: others go on.
      if (!isCarried(order, configuration) && (await orderOf(order.reference)) === undefined) throw uncarried();
      return asking("submit", order.reference, async () => {
        const reason = unpayable(order, configuration);
        if (reason !== undefined) return { status: "REFUSED", reason, amount: order.amount };
        await handOver.all(bankIdOf(order.reference), [order]);
        const known = await orderOf(order.reference);
        if (known === undefined) throw new Error(`${order.reference} is in no file`);
        if (known.amount !== undefined && !isSame(known.amount, order.amount)) {
          throw new Refusal("STATE_CONFLICT", `the bank has another payout under ${order.reference}`);
        }
        return payoutOf(known);
      });
    },

    submitBatch: (batchReference, orders, _call) =>
      asking("submit-batch", batchReference, async () => {
        // What cannot be paid is refused when it is asked for alone, and waits where more is asked.
        const payable = orders.filter(
          (order) => unpayable(order, configuration) === undefined && isCarried(order, configuration),
        );
        await handOver.all(batchReference, payable);
      }),

    find: (reference, _call) =>
      asking("find", reference, async () => {
        const known = await orderOf(reference);
        return known === undefined ? undefined : payoutOf(known);
      }),

    recall: (reference, _call) =>
      asking("recall", reference, async () => {
        // An order that comes late finds its number taken.
        const never = { installationId, reference, endToEndId: bankIdOf(reference), messageId: "" };
        if (await files.insertRecalled({ ...never, createdAt: clock.now() })) return { status: "RECALLED", reason: "" };
        const known = await orderOf(reference);
        if (known === undefined) throw new Error(`${reference} is there and is not`);
        return payoutOf(known);
      }),

    async amend() {
      throw new Refusal("STATE_CONFLICT", "a bank of files takes no amendment of what it has");
    },

    // A bank takes files at any time; when it executes them is its own affair.
    nextWindow: () => asking("window", "", async () => (await folders.list("in"), clock.now())),

    async *statement(range, { signal }) {
      await noted({ operation: "statement", reference: "" }, () => folders.list("in"));
      for await (const { reference, kind, amount, at } of files.streamEntries(installationId, range)) {
        signal?.throwIfAborted();
        if (amount === undefined || kind === "STATUS") continue;
        const line: PartnerStatementLine = { reference, kind: kind === "DEBIT" ? "PAYOUT" : "RETURN", amount, at };
        yield line;
      }
    },
  };
}

function createHandOver(options: FileConnectorOptions) {
  const { tenantId, installationId, configuration, store, folders, validate, clock } = options;
  const files = store.forTenant(tenantId).bankFiles;

  /** False where somebody else has recorded one of them meanwhile. */
  async function record(message: BankMessage, orders: readonly PayoutOrder[]): Promise<boolean> {
    const { messageId, createdAt } = message;
    const its = orders.map(({ reference, amount }) => {
      return { installationId, reference, endToEndId: bankIdOf(reference), messageId, amount, createdAt };
    });
    try {
      await store.transaction(
        async (session) => {
          await files.insertMessage(message, its, session);
          return true;
        },
        async () =>
          (await files.findMessage(installationId, messageId))?.attempt === message.attempt ? true : undefined,
      );
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  async function stage(messageId: string, orders: readonly PayoutOrder[]): Promise<void> {
    const createdAt = clock.now();
    const timeZone = configuration.timeZone ?? (await options.timeZoneOf(tenantId));
    const text = initiationOf(configuration, { messageId, createdAt, timeZone }, orders);
    // The bank would refuse the whole file, or worse, a part of it.
    await validate(initiationKind, text).catch((error: unknown) => {
      throw new Error(`the file of ${messageId} is not valid`, { cause: error });
    });
    const attempt = await folders.stage(text);
    crashPoint("remittance.bank-file.staged");
    const fileName = `${initiationKind}-${messageId}.xml`;
    const message: BankMessage = { installationId, messageId, attempt, fileName, state: "STAGED", createdAt };
    if (!(await record(message, orders))) return folders.discard(attempt);
    crashPoint("remittance.bank-file.recorded");
  }

  /** Has the bank see what is recorded, where a crash or a full disk has kept it from that. */
  async function complete(messageIds: readonly string[]): Promise<void> {
    for (const messageId of messageIds) {
      const message = await files.findMessage(installationId, messageId);
      if (message?.state !== "STAGED") continue;
      await folders.handOver(message.attempt, message.fileName);
      crashPoint("remittance.bank-file.handed-over");
      await files.setHandedOver(installationId, messageId);
    }
  }

  return {
    complete,
    /** Those that are in no file yet, in one file. */
    async all(name: string, orders: readonly PayoutOrder[]): Promise<void> {
      const references = orders.map(({ reference }) => reference);
      for (let tries = 0; tries < maxTries; tries += 1) {
        const known = await files.findOrders(installationId, "reference", references);
        const taken = new Set(known.map(({ reference }) => reference));
        const fresh = orders.filter(({ reference }) => !taken.has(reference));
        if (fresh.length === 0) {
          await complete([...new Set(known.map(({ messageId }) => messageId))].filter((id) => id !== ""));
          return;
        }
        const isAlone = orders.length === 1 && name === bankIdOf(orders[0]?.reference ?? "");
        const messageId = isAlone
          ? name
          : batchIdOf(
              name,
              fresh.map(({ reference }) => reference),
            );
        await stage(messageId, fresh);
      }
      throw new Refusal("UNAVAILABLE", "others hand over the same payouts at this moment");
    },
  };
}

const uncarried = () => new PartiesUntold("the bank's file has no place for what the policy asks to be told");

const isSame = (a: PayoutOrder["amount"], b: PayoutOrder["amount"]): boolean =>
  a.currency === b.currency && compareMoney(a, b) === 0;
