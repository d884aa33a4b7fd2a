import type { CashLimit as WireLimit, CashSum } from "../../../proto/gen/wallet/v1/money_in.js";
import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { assertInt64, formatMoney } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { cashLimitParts, type CashLimit } from "../domain/cash-limit.js";
import { businessDayOf } from "./business-day.js";
import type { WalletDeps } from "./deps.js";
import { aboutCash, cashLimitChanges } from "./limit-outcomes.js";
import { approvalKeyOf } from "../../platform/approvals/request-id.js";

/** How much cash a cashier takes, and what was taken in a day. */
export function cashLimitHandlers({ store, approvals, businessClock }: WalletDeps) {
  return {
    /** Asks a second person to approve a limit of cash; it holds from then on. */
    async setCashLimit(request, call) {
      const key = textFromWire(request.idempotencyKey, "idempotencyKey", { maximum: 255 });
      const limit = limitFromWire(request.limit);
      const reason = reasonFromWire(request.reason);
      const { cashierId, currency } = limit;
      const limits = await store.forTenant(call.tenantId).cashLimitsFor(cashierId, currency);
      const held = limits.find((one) => one.cashierId === cashierId);
      const approval = await approvals.ask(call, {
        idempotencyKey: approvalKeyOf("cash-limit", key, call),
        kind: "LIMIT_CHANGE",
        subject: cashierId === "" ? `cash-limit:${currency}` : `cash-limit:${cashierId}:${currency}`,
        summary: `Cash in ${currency} at ${cashierId === "" ? "every desk" : `the desk of ${cashierId}`}: ${describe(limit)}`,
        reason,
        payload: { about: aboutCash, cashierId, currency, parts: partsOf(limit) },
        changes: cashLimitChanges(held, limit),
      });
      return { approvalId: approval.approvalId, approvalStatus: approval.status };
    },

    async listCashLimits(_request, call) {
      return { limits: await store.forTenant(call.tenantId).listCashLimits() };
    },

    /** By cashier and currency, a business day's cash in, out and handed out, as tills have it. */
    async sumCash(request, call) {
      const day = (await businessDayOf({ businessClock }, request.date, call)).toString();
      const sums = new Map<string, CashSum>();
      const add = (sum: Omit<CashSum, "count" | "approved">, approved = 0): void => {
        const name = `${sum.cashierId} ${sum.role} ${sum.currency} ${sum.kind}`;
        const before = sums.get(name) ?? { ...sum, count: 0, totalMinor: 0n, approved: 0 };
        const totalMinor = assertInt64(before.totalMinor + sum.totalMinor, "the day's cash");
        sums.set(name, { ...before, count: before.count + 1, totalMinor, approved: before.approved + approved });
      };
      const wallet = store.forTenant(call.tenantId);
      for await (const { sale, totalMinor, currency } of wallet.streamSales(day)) {
        const { cashierId = "", role = "CASHIER" } = sale ?? {};
        add({ cashierId, role, currency, kind: "SALE", totalMinor });
      }
      for await (const one of wallet.streamCash(day)) {
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
        add({ cashierId, role, currency, kind, totalMinor: minor }, cashInId === undefined ? 0 : 1);
      }
      const sorted = [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1));
      return { date: day, sums: sorted.map(([, sum]) => sum) };
    },
  } satisfies Partial<Handlers<WalletServiceDefinition>>;
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
  differenceAboveMinor: "short or over alone",
} as const;

function describe(limit: CashLimit): string {
  const given = cashLimitParts.filter((part) => limit[part] !== undefined);
  if (given.length === 0) return "as the platform sets it out";
  const text = (minor: bigint = 0n) => formatMoney({ minor, currency: limit.currency });
  return given.map((part) => `${text(limit[part])} ${words[part]}`).join(", ");
}
