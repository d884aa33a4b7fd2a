import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { moneyToWire } from "../../kernel/money.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { methodToWire } from "../wire/fields.js";
import { shownStatus } from "../domain/block-view.js";
import { analytics, callOver, rangeOf, type ReportedTransaction } from "../domain/reports.js";
import { seesBlocks } from "./as-seen-by.js";
import type { RemittanceDeps } from "./deps.js";
import { whileWaitedFor } from "./waited-for.js";

const maxDays = 92;
// Each reads as fast as it can: more of them at a time would only be later together.
const maxAtOnce = 2;

/** What is counted of transactions. Days are those of the tenant's time zone. */
export function reportHandlers({ store, people, times }: Pick<RemittanceDeps, "store" | "people" | "times">) {
  let running = 0;

  /** Refuses OVERLOADED while others are made. */
  async function oneOfFew<T>(make: () => Promise<T>): Promise<T> {
    if (running >= maxAtOnce) throw new Refusal("OVERLOADED", "other reports are being made", { retryAfterS: 2 });
    running += 1;
    try {
      return await make();
    } finally {
      running -= 1;
    }
  }

  return {
    async getCallOverReport(request, call) {
      const { timeZone, today } = await times.forTenant(call.tenantId);
      const day = request.date === "" ? today() : dateFromWire(request.date, "date");
      const owners = await people.countedTransactions(call);
      const created = store.forTenant(call.tenantId).streamCreated(rangeOf(day, day, timeZone), owners);
      const rows = await oneOfFew(() => callOver(shown(whileWaitedFor(created, call.signal), call)));
      return {
        date: day.toString(),
        rows: rows.map(({ fees, taxes, total, principal, ...about }) => ({
          ...about,
          principal: moneyToWire(principal),
          feesMinor: fees.minor,
          taxesMinor: taxes.minor,
          totalMinor: total.minor,
        })),
      };
    },

    async getAnalytics(request, call) {
      const time = await times.forTenant(call.tenantId);
      const { timeZone } = time;
      const from = dateFromWire(request.from, "from");
      const to = dateFromWire(request.to, "to");
      const days = from.until(to).days + 1;
      if (days < 1) throw invalidInput("to", "must not be before from");
      if (days > maxDays) throw invalidInput("to", `must be within ${maxDays} days of from`);
      const owners = await people.countedTransactions(call);
      const created = store.forTenant(call.tenantId).streamCreated(rangeOf(from, to, timeZone), owners);
      const rows = await oneOfFew(() =>
        analytics(shown(whileWaitedFor(created, call.signal), call), { timeZone, now: time.now() }),
      );
      return {
        rows: rows.map(({ fees, taxes, principal, received, deliveryMethod, total: _total, ...about }) => ({
          ...about,
          type: methodToWire(deliveryMethod),
          principal: moneyToWire(principal),
          feesMinor: fees.minor,
          taxesMinor: taxes.minor,
          received: moneyToWire(received),
        })),
      };
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}

/** By the status that whoever asked is shown. */
async function* shown(all: AsyncIterable<ReportedTransaction>, call: Call): AsyncGenerator<ReportedTransaction, void> {
  const isPlain = seesBlocks(call);
  for await (const one of all) yield isPlain ? one : { ...one, status: shownStatus(one) };
}

/** Refuses INVALID_INPUT. */
function dateFromWire(text: string, path: string): Temporal.PlainDate {
  try {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) throw new RangeError("not a date");
    return Temporal.PlainDate.from(text, { overflow: "reject" });
  } catch {
    throw invalidInput(path, "must be a date such as 2026-11-21");
  }
}
