import {
  type ListWalletLimitsResponse,
  type SetWalletLimitRequest,
  type SetWalletLimitResponse,
  type WalletLimit as WireLimit,
} from "../../../proto/gen/wallet/v1/payables.js";
import { amountChangeOf } from "../../platform/approvals/approval-changes.js";
import { setEffects } from "../../platform/approvals/approval-effects.js";
import type { OutcomeHandler } from "../../platform/approvals/approvals.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { formatMoney } from "../../kernel/money.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { WalletLimit } from "../domain/wallet-limit.js";
import type { WalletStore } from "../store/index.js";
import type { WalletLimitsCache } from "../store/wallet-limits-cache.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import { aboutCash, cashLimitOutcome } from "./cash-limits.js";
import type { WalletDeps } from "./deps.js";

/**
 * Asks a second person to approve a limit; it holds from then on. Refuses
 * ACCOUNT_NOT_FOUND, CURRENCY_MISMATCH.
 */
export function setWalletLimit({ store, approvals }: WalletDeps) {
  return async (request: SetWalletLimitRequest, call: Call): Promise<SetWalletLimitResponse> => {
    const key = textFromWire(request.idempotencyKey, "idempotencyKey", { maximum: 255 });
    const limit = limitFromWire(request.limit);
    const reason = reasonFromWire(request.reason);
    const { accountId, currency } = limit;
    if (accountId !== "") {
      const account = await store.forTenant(call.tenantId).findAccount(accountId);
      if (account === undefined) throw new Refusal("ACCOUNT_NOT_FOUND", "no such wallet account");
      if (account.currency !== currency) throw new Refusal("CURRENCY_MISMATCH", `it holds ${account.currency}`);
    }
    const held = heldOf(await store.forTenant(call.tenantId).listLimits(), limit);
    const approval = await approvals.ask(call, {
      idempotencyKey: `wallet-limit:${requireUser(call).userId}:${key}`.slice(0, 255),
      kind: "LIMIT_CHANGE",
      subject: accountId === "" ? `wallet-limit:${currency}` : `wallet-limit:${accountId}`,
      summary: `Payments from ${accountId === "" ? `all ${currency} wallets` : `wallet ${accountId}`}: ${describe(limit)}`,
      reason,
      payload: payloadOf(limit),
      changes: changesOf(held, limit),
    });
    return { approvalId: approval.approvalId, approvalStatus: approval.status };
  };
}

export function listWalletLimits({ store }: Pick<WalletDeps, "store">) {
  return async (_request: object, call: Call): Promise<ListWalletLimitsResponse> => ({
    limits: await store.forTenant(call.tenantId).listLimits(),
  });
}

/** Sets the limit that a second person has approved. */
export function limitOutcome(store: WalletStore, limits: Pick<WalletLimitsCache, "forget">): OutcomeHandler {
  const ofCash = cashLimitOutcome(store);
  return async (outcome, session, call, effects) => {
    const { status, payload, subject } = outcome;
    if (payload["about"] === aboutCash) return ofCash(outcome, session, call, effects);
    if (status !== "APPROVED") return;
    const { accountId, currency, perPayment, perDay, perCashIn, cashInPerDay } = payload as Record<
      string,
      string | undefined
    >;
    const limit = {
      accountId: accountId ?? "",
      currency: currency ?? "",
      ...(perPayment !== undefined && { perPaymentMinor: BigInt(perPayment) }),
      ...(perDay !== undefined && { perDayMinor: BigInt(perDay) }),
      ...(perCashIn !== undefined && { perCashInMinor: BigInt(perCashIn) }),
      ...(cashInPerDay !== undefined && { cashInPerDayMinor: BigInt(cashInPerDay) }),
    };
    const wallet = store.forTenant(call.tenantId);
    const held = heldOf(await wallet.listLimits(), limit);
    await wallet.setLimit(limit, session);
    effects.add(...setEffects("LIMIT_SET", subject, changesOf(held, limit)));
    limits.forget(call.tenantId, currency ?? "");
  };
}

function heldOf(limits: readonly WalletLimit[], { accountId, currency }: WalletLimit): WalletLimit | undefined {
  return limits.find((one) => one.accountId === accountId && one.currency === currency);
}

function limitFromWire(wire: WireLimit | undefined): WalletLimit {
  if (wire === undefined) throw invalidInput("limit", "is required");
  const { currency, perPaymentMinor, perDayMinor, perCashInMinor, cashInPerDayMinor } = wire;
  const accountId = textFromWire(wire.accountId, "limit.accountId", { minimum: 0 });
  assertCurrency(currency, "limit.currency");
  for (const [path, minor] of Object.entries({ perPaymentMinor, perDayMinor, perCashInMinor, cashInPerDayMinor })) {
    if (minor !== undefined && minor < 0n) throw invalidInput(`limit.${path}`, "must not be below zero");
  }
  return {
    accountId,
    currency,
    ...(perPaymentMinor !== undefined && { perPaymentMinor }),
    ...(perDayMinor !== undefined && { perDayMinor }),
    ...(perCashInMinor !== undefined && { perCashInMinor }),
    ...(cashInPerDayMinor !== undefined && { cashInPerDayMinor }),
  };
}

function payloadOf(limit: WalletLimit): Record<string, unknown> {
  const { accountId, currency, perPaymentMinor, perDayMinor, perCashInMinor, cashInPerDayMinor } = limit;
  return {
    accountId,
    currency,
    ...(perPaymentMinor !== undefined && { perPayment: String(perPaymentMinor) }),
    ...(perDayMinor !== undefined && { perDay: String(perDayMinor) }),
    ...(perCashInMinor !== undefined && { perCashIn: String(perCashInMinor) }),
    ...(cashInPerDayMinor !== undefined && { cashInPerDay: String(cashInPerDayMinor) }),
  };
}

function changesOf(held: WalletLimit | undefined, limit: WalletLimit) {
  const parts = ["perPayment", "perDay", "perCashIn", "cashInPerDay"] as const;
  return parts.flatMap((part) => amountChangeOf(part, held?.[`${part}Minor`], limit[`${part}Minor`], limit.currency));
}

function describe({ currency, perPaymentMinor, perDayMinor, perCashInMinor, cashInPerDayMinor }: WalletLimit): string {
  const max = (minor: bigint | undefined): string =>
    minor === undefined ? "no limit" : formatMoney({ minor, currency });
  const out = `${max(perPaymentMinor)} each, ${max(perDayMinor)} a day`;
  return `${out}; cash in ${max(perCashInMinor)} each, ${max(cashInPerDayMinor)} a day`;
}
