import type { CardConnector } from "../../platform/banks/bank-connector.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { Refusal, type RefusalCode } from "../../kernel/refusal.js";
import { lendingAccount } from "../domain/books.js";
import type { Payoff } from "../domain/payoff.js";
import { effectiveOn, type LedgerPostings } from "./ledger-postings.js";
import type { Wallet } from "./neighbours.js";

export interface MoneyInDeps {
  wallet: Pick<Wallet, "debitWallet">;
  card: Pick<CardConnector, "charge">;
  postings: Pick<LedgerPostings, "openOwn">;
}

export type MoneyIn = ReturnType<typeof createMoneyIn>;

// What a wallet decides for good; after any other failure the same question is asked again.
const decisions: ReadonlySet<RefusalCode> = new Set([
  "INSUFFICIENT_FUNDS",
  "ACCOUNT_CLOSED",
  "ACCOUNT_FROZEN",
  "CURRENCY_MISMATCH",
  "CUSTOMER_NOT_CONFIRMED",
  "COMPLIANCE_REJECTED",
  "ACCOUNT_NOT_FOUND",
] as const);

/**
 * Money that customers pay off loans with, each payoff once: wallet and card decide by the payoff's
 * id.
 */
export function createMoneyIn({ wallet, card, postings }: MoneyInDeps) {
  async function debit(tenantId: string, payoff: Payoff, waiting: { deadline?: Date }): Promise<Refusal | undefined> {
    const { payoffId, walletAccountId = "", customerId, currency, amountMinor, interactionId, reference } = payoff;
    const creditAccountId = lendingAccount("clearing", currency);
    await postings.openOwn(tenantId, creditAccountId, currency, interactionId);
    const effectiveAt = effectiveOn(tenantId, payoff.on);
    const request = {
      idempotencyKey: payoffId,
      accountId: walletAccountId,
      customerId,
      legs: [{ creditAccountId, amountMinor, kind: "loan_payoff" }],
      description: `Payoff of loan ${reference}`,
      ...(effectiveAt === undefined ? {} : { effectiveAt }),
    };
    try {
      await wallet.debitWallet(request, outgoing({ tenantId, interactionId, ...waiting }));
      return undefined;
    } catch (error) {
      if (error instanceof Refusal && decisions.has(error.code)) return error;
      throw error;
    }
  }

  async function charge(tenantId: string, payoff: Payoff): Promise<Refusal | undefined> {
    const { payoffId, cardToken = "", amountMinor, currency, partner: at } = payoff;
    const charged = await card.charge(payoffId, cardToken, { minor: amountMinor, currency }, { tenantId, at });
    if (charged.status === "CAPTURED") return undefined;
    if (charged.status === "PENDING") throw new Refusal("UNAVAILABLE", "the card has not answered yet");
    return new Refusal("CARD_REFUSED", charged.reason === "" ? "the card was refused" : charged.reason);
  }

  return {
    /**
     * Undefined when wallet or card have paid, the refusal when they never will. Throws while that
     * is not known.
     */
    async take(tenantId: string, payoff: Payoff, waiting: { deadline?: Date }): Promise<Refusal | undefined> {
      if (payoff.amountMinor === 0n) return undefined;
      return payoff.method === "WALLET" ? debit(tenantId, payoff, waiting) : charge(tenantId, payoff);
    },
  };
}
