import { v7 as uuidv7 } from "uuid";
import {
  ExecuteExchangeRequest,
  ExecuteExchangeResponse,
  QuoteExchangeRequest,
  QuoteExchangeResponse,
} from "../../../proto/gen/wallet/v1/holds.js";
import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import { multiplyMoney, parseDecimal } from "../../kernel/decimal.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { parseMoney, type Money } from "../../kernel/money.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { refusalByStatus, type WalletAccount } from "../domain/account.js";
import { exchangeAccounts, transfersOfExchange, type ExchangeQuote } from "../domain/exchange.js";
import { checkPositive } from "../domain/payment.js";
import { quoteToWire } from "../wire/exchanges.js";
import type { WalletDeps } from "./deps.js";
import { runMovement } from "./run-movement.js";

const quoteForMs = 60_000;

/** Money of a wallet into another currency. */
export function exchangeHandlers(deps: WalletDeps) {
  const { store, runOnce, clock } = deps;
  return {
    /**
     * Quotes an exchange; what comes out is rounded down to whole minor units. Refuses
     * ACCOUNT_NOT_FOUND, FORBIDDEN, RATE_NOT_AVAILABLE, AMOUNT_OUT_OF_LIMITS where nothing would
     * come out.
     */
    async quoteExchange(request, call) {
      const [from, to] = [
        await own(store, request.fromAccountId, "fromAccountId", call),
        await own(store, request.toAccountId, "toAccountId", call),
      ];
      if (from.currency === to.currency) throw invalidInput("toAccountId", "must hold another currency");
      const amount = parseMoney(request.amount, from.currency, "amount");
      checkPositive(amount);
      return runOnce<QuoteExchangeRequest, QuoteExchangeResponse, Priced>({
        operation: "wallet.v1.QuoteExchange",
        request,
        requestType: QuoteExchangeRequest,
        response: QuoteExchangeResponse,
        call,
        prepare: () => price(deps, amount, to.currency, call),
        work: async (session, { rate, given, validUntil }) => {
          const createdAt = clock.now();
          const untilMs = Math.min(createdAt.getTime() + quoteForMs, validUntil?.getTime() ?? Infinity);
          const quote: ExchangeQuote = {
            quoteId: uuidv7(),
            customerId: from.customerId,
            fromAccountId: from.accountId,
            toAccountId: to.accountId,
            from: amount,
            to: given,
            rate,
            status: "OPEN",
            createdAt,
            expiresAt: new Date(untilMs),
          };
          await store.forTenant(call.tenantId).insertQuote(quote, session);
          return { quote: quoteToWire(quote, createdAt) };
        },
      });
    },

    /**
     * Refuses NOT_FOUND, FORBIDDEN, QUOTE_NOT_OPEN for one that was used or is over, and what the
     * wallets refuse.
     */
    async executeExchange(request, call) {
      return runMovement<ExecuteExchangeRequest, ExecuteExchangeResponse>(deps, {
        operation: "wallet.v1.ExecuteExchange",
        request,
        requestType: ExecuteExchangeRequest,
        response: ExecuteExchangeResponse,
        call,
        plan: async () => {
          const wallet = deps.store.forTenant(call.tenantId);
          const quote = await wallet.findQuote(textFromWire(request.quoteId, "quoteId"));
          if (quote === undefined) throw new Refusal("NOT_FOUND", "no such quote");
          const { customerId, fromAccountId: accountId, quoteId } = quote;
          if (customerId !== requireUser(call).customerId) throw new Refusal("FORBIDDEN", "another customer's quote");
          if (quote.status !== "OPEN" || quote.expiresAt <= deps.clock.now()) {
            return new Refusal("QUOTE_NOT_OPEN", "the quote was used, or its time is over");
          }
          const [from, to] = [await wallet.findAccount(accountId), await wallet.findAccount(quote.toAccountId)];
          const refusal =
            (from && refusalByStatus(from)) ?? (to?.status === "CLOSED" ? refusalByStatus(to) : undefined);
          if (refusal !== undefined) return refusal;
          if (from === undefined) throw new Error(`the wallet of quote ${quoteId} is not there`);
          const allowed = await deps.moves.ask({ customerId, kind: "EXCHANGE" }, call);
          if (allowed.refusal !== undefined) return allowed.refusal;
          const limited = await deps.dayLimits.check(from, quote.from, call);
          if (limited.refusal !== undefined) return limited.refusal;
          return {
            kind: "EXCHANGE",
            accountId,
            customerId,
            ownAccounts: exchangeAccounts(quote),
            transfers: transfersOfExchange(quote),
            subjectId: quoteId,
            quote: { ...quote, status: "USED" },
            ...(limited.part && { spends: [limited.part] }),
          };
        },
      });
    },
  } satisfies Partial<Handlers<WalletServiceDefinition>>;
}

interface Priced {
  rate: string;
  given: Money;
  validUntil: Date | undefined;
}

/**
 * What the amount gives at remittance's rate of now. Refuses RATE_NOT_AVAILABLE,
 * AMOUNT_OUT_OF_LIMITS, AMOUNT_ABOVE_CEILING.
 */
async function price(
  { ceilings, remittance }: WalletDeps,
  amount: Money,
  toCurrency: string,
  call: Call,
): Promise<Priced> {
  const { tenantId, interactionId } = call;
  await ceilings.check(call, amount);
  const requested = { fromCurrency: amount.currency, toCurrency };
  const { rate, validUntil } = await remittance.getExchangeRate(requested, outgoing({ tenantId, interactionId }));
  const given = multiplyMoney(amount, parseDecimal(rate, "rate"), toCurrency, "down");
  if (given.minor === 0n) throw new Refusal("AMOUNT_OUT_OF_LIMITS", "so little gives nothing of the other currency");
  await ceilings.check(call, given);
  return { rate, given, validUntil };
}

async function own(store: WalletDeps["store"], accountId: string, path: string, call: Call): Promise<WalletAccount> {
  const account = await store.forTenant(call.tenantId).findAccount(textFromWire(accountId, path));
  if (account === undefined || account.status === "OPENING") {
    throw new Refusal("ACCOUNT_NOT_FOUND", `${path}: no such wallet account`);
  }
  if (account.customerId !== requireUser(call).customerId) {
    throw new Refusal("FORBIDDEN", `${path}: the account is another customer's`);
  }
  return account;
}
