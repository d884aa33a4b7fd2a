import type {
  CashLimit as WireLimit,
  ListCashLimitsResponse,
  SetCashLimitRequest,
  SetCashLimitResponse,
  SumCashRequest,
  SumCashResponse,
} from "../../../proto/gen/wallet/v1/money_in.js";
import { amountChangeOf } from "../../platform/approvals/approval-changes.js";
import { setEffects } from "../../platform/approvals/approval-effects.js";
import type { OutcomeHandler } from "../../platform/approvals/approvals.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { assertInt64, formatMoney } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { cashLimitParts, type CashLimit } from "../domain/cash-limit.js";
import type { WalletStore } from "../store/index.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import type { WalletDeps } from "./deps.js";

/** Tells an approval of kind LIMIT_CHANGE about cash from one about wallets. */
export const aboutCash = "CASH";

/** Asks a second person to approve a limit of cash; it holds from then on. */
export function setCashLimit({ store, approvals }: Pick<WalletDeps, "store" | "approvals">) {
  return async (request: SetCashLimitRequest, call: Call): Promise<SetCashLimitResponse> => {
    const key = textFromWire(request.idempotencyKey, "idempotencyKey", { maximum: 255 });
    const limit = limitFromWire(request.limit);
    const reason = reasonFromWire(request.reason);
    const { cashierId, currency } = limit;
    const limits = await store.forTenant(call.tenantId).cashLimitsFor(cashierId, currency);
    const held = limits.find((one) => one.cashierId === cashierId);
    const approval = await approvals.ask(call, {
      idempotencyKey: `cash-limit:${requireUser(call).userId}:${key}`.slice(0, 255),
      kind: "LIMIT_CHANGE",
      subject: cashierId === "" ? `cash-limit:${currency}` : `cash-limit:${cashierId}:${currency}`,
      summary: `Cash in ${currency} at ${cashierId === "" ? "every desk" : `the desk of ${cashierId}`}: ${describe(limit)}`,
      reason,
      payload: { about: aboutCash, cashierId, currency, parts: partsOf(limit) },
      changes: changesOf(held, limit),
    });
    return { approvalId: approval.approvalId, approvalStatus: approval.status };
  };
}

export function listCashLimits({ store }: Pick<WalletDeps, "store">) {
  return async (_request: object, call: Call): Promise<ListCashLimitsResponse> => ({
    limits: await store.forTenant(call.tenantId).listCashLimits(),
  });
}

/** Sets the limit that a second person has approved. */
export function cashLimitOutcome(store: WalletStore): OutcomeHandler {
  return async ({ status, payload, subject }, session, call, effects) => {
    if (status !== "APPROVED") return;
    const { cashierId, currency, parts } = payload as { cashierId: string; currency: string; parts: object };
    const minors = Object.entries(parts).map(([part, minor]) => [part, BigInt(minor as string)]);
    const limit: CashLimit = { cashierId, currency, ...Object.fromEntries(minors) };
    const wallet = store.forTenant(call.tenantId);
    const held = (await wallet.cashLimitsFor(cashierId, currency)).find((one) => one.cashierId === cashierId);
    await wallet.setCashLimit(limit, session);
    effects.add(...setEffects("LIMIT_SET", subject, changesOf(held, limit)));
  };
}

/** Sums a business day's cash in, out and handed out, by cashier and currency. */
export function sumCash({ store, businessClock, clock }: Pick<WalletDeps, "store" | "businessClock" | "clock">) {
  return async (request: SumCashRequest, call: Call): Promise<SumCashResponse> => {
    const time = await businessClock.forTenant(call.tenantId, call.interactionId);
    const day = request.date === "" ? time.today() : dayFromWire(request.date);
    // Movements are dated by the real clock; only a sandbox's business time runs ahead of it.
    const aheadMs = time.now().getTime() - clock.now().getTime();
    const startOf = (date: Temporal.PlainDate) =>
      new Date(date.toZonedDateTime(time.timeZone).epochMilliseconds - aheadMs);
    const [from, to] = [startOf(day), startOf(day.add({ days: 1 }))];
    const sums = new Map<string, SumCashResponse["sums"][number]>();
    for await (const one of store.forTenant(call.tenantId).streamCash(from, to)) {
      const {
        kind,
        createdBy: cashierId,
        createdByRole: role = "CASHIER",
        transfers,
        subjectMinor = 0n,
        pickup,
        cashInId,
      } = one;
      // What is handed out of a remittance is booked by remittance.
      const given = { minor: -subjectMinor, currency: pickup?.currency ?? "" };
      const { minor, currency } = transfers[0]?.amount ?? given;
      const name = `${cashierId} ${role} ${currency} ${kind}`;
      const sum = sums.get(name) ?? { cashierId, role, currency, kind, count: 0, totalMinor: 0n, approved: 0 };
      sum.count += 1;
      sum.totalMinor = assertInt64(sum.totalMinor + minor, "the day's cash");
      sum.approved += cashInId === undefined ? 0 : 1;
      sums.set(name, sum);
    }
    const sorted = [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return { date: day.toString(), sums: sorted.map(([, sum]) => sum) };
  };
}

function dayFromWire(date: string): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from(date);
  } catch {
    throw invalidInput("date", "must be a date such as 2026-11-21");
  }
}

function limitFromWire(wire: WireLimit | undefined): CashLimit {
  if (wire === undefined) throw invalidInput("limit", "is required");
  assertCurrency(wire.currency, "limit.currency");
  const cashierId = textFromWire(wire.cashierId, "limit.cashierId", { minimum: 0 });
  const given = cashLimitParts.flatMap((part) => (wire[part] === undefined ? [] : [[part, wire[part]] as const]));
  for (const [part, minor] of given) {
    if (minor < 0n) throw invalidInput(`limit.${part}`, "must not be below zero");
  }
  return { cashierId, currency: wire.currency, ...Object.fromEntries(given) };
}

function changesOf(held: CashLimit | undefined, limit: CashLimit) {
  return cashLimitParts.flatMap((part) =>
    amountChangeOf(part.replace(/Minor$/, ""), held?.[part], limit[part], limit.currency),
  );
}

function partsOf(limit: CashLimit): Record<string, string> {
  return Object.fromEntries(
    cashLimitParts.flatMap((part) => (limit[part] === undefined ? [] : [[part, String(limit[part])] as const])),
  );
}

const words = {
  perCashInMinor: "each",
  perDayMinor: "a day",
  tillMinor: "in the till",
  fourEyesAboveMinor: "alone",
} as const;

function describe(limit: CashLimit): string {
  const given = cashLimitParts.filter((part) => limit[part] !== undefined);
  if (given.length === 0) return "as the platform sets it out";
  const text = (minor: bigint = 0n) => formatMoney({ minor, currency: limit.currency });
  return given.map((part) => `${text(limit[part])} ${words[part]}`).join(", ");
}
