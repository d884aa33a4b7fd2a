import type { WalletLimit as WireLimit } from "../../../proto/gen/wallet/v1/payables.js";
import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { formatMoney } from "../../kernel/money.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import type { WalletLimit } from "../domain/wallet-limit.js";
import type { WalletDeps } from "./deps.js";
import { heldWalletLimit, walletLimitChanges } from "./limit-outcomes.js";
import { approvalKeyOf } from "../../platform/approvals/request-id.js";

/** How much goes out of wallets, and how much cash into them. */
export function walletLimitHandlers({ store, approvals }: WalletDeps) {
  return {
    /**
     * Asks a second person to approve a limit; it holds from then on. Refuses
     * ACCOUNT_NOT_FOUND, CURRENCY_MISMATCH.
     */
    async setWalletLimit(request, call) {
      const key = textFromWire(request.idempotencyKey, "idempotencyKey", { maximum: 255 });
      const limit = limitFromWire(request.limit);
      const reason = reasonFromWire(request.reason);
      const { accountId, currency } = limit;
      if (accountId !== "") {
        const account = await store.forTenant(call.tenantId).findAccount(accountId);
        if (account === undefined) throw new Refusal("ACCOUNT_NOT_FOUND", "no such wallet account");
        if (account.currency !== currency) throw new Refusal("CURRENCY_MISMATCH", `it holds ${account.currency}`);
      }
      const held = heldWalletLimit(await store.forTenant(call.tenantId).listLimits(), limit);
      const approval = await approvals.ask(call, {
        idempotencyKey: approvalKeyOf("wallet-limit", key, call),
        kind: "LIMIT_CHANGE",
        subject: accountId === "" ? `wallet-limit:${currency}` : `wallet-limit:${accountId}`,
        summary: `Payments from ${accountId === "" ? `all ${currency} wallets` : `wallet ${accountId}`}: ${describe(limit)}`,
        reason,
        payload: payloadOf(limit),
        changes: walletLimitChanges(held, limit),
      });
      return { approvalId: approval.approvalId, approvalStatus: approval.status };
    },

    async listWalletLimits(_request, call) {
      return { limits: await store.forTenant(call.tenantId).listLimits() };
    },
  } satisfies Partial<Handlers<WalletServiceDefinition>>;
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

function describe({ currency, perPaymentMinor, perDayMinor, perCashInMinor, cashInPerDayMinor }: WalletLimit): string {
  const max = (minor: bigint | undefined): string =>
    minor === undefined ? "no limit" : formatMoney({ minor, currency });
  const out = `${max(perPaymentMinor)} each, ${max(perDayMinor)} a day`;
  return `${out}; cash in ${max(perCashInMinor)} each, ${max(cashInPerDayMinor)} a day`;
}
