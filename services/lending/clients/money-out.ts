import type { BankConnector } from "../../platform/banks/bank-connector.js";
import type { PartiesOf } from "../../platform/banks/transfer-parties.js";
import type { OwnPartner } from "../../platform/banks/own-partner.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import type { PayTo } from "../domain/application.js";
import type { CustomerMoves } from "../../platform/neighbours/customer-moves.js";
import type { Wallet } from "./neighbours.js";

export interface MoneyOutDeps {
  wallet: Pick<Wallet, "getBankAccount" | "getWalletAccount">;
  bank: Pick<BankConnector, "transfer">;
  moves: Pick<CustomerMoves, "ask">;
  /** Who the customer is, as the bank is told it. */
  partiesOf: PartiesOf;
}

/** Where money goes and whose it is. */
export interface Target {
  readonly tenantId: string;
  readonly interactionId: string;
  readonly customerId: string;
  readonly currency: string;
  readonly payTo: PayTo;
}

export type MoneyOut = ReturnType<typeof createMoneyOut>;

/**
 * Money that goes to customers: into a wallet by the ledger alone, to a bank account by the bank.
 */
export function createMoneyOut({ wallet, bank, moves, partiesOf }: MoneyOutDeps) {
  return {
    /**
     * Refuses, before anything goes out, who may get no money as their status is
     * (CUSTOMER_NOT_CONFIRMED, COMPLIANCE_REJECTED), and what cannot be paid to: ACCOUNT_NOT_FOUND,
     * BANK_ACCOUNT_MISMATCH, CURRENCY_MISMATCH. Whoever asks writes down what came of it, so that
     * it is decided once.
     */
    async check({ tenantId, interactionId, customerId, currency, payTo }: Target): Promise<Refusal | undefined> {
      const call = outgoing({ tenantId, interactionId });
      const { refusal, isHeld } = await moves.ask(
        { customerId, kind: "LOAN_DISBURSEMENT" },
        { tenantId, interactionId },
      );
      if (refusal?.code === "CUSTOMER_NOT_CONFIRMED") return refusal;
      if (refusal !== undefined || isHeld) {
        return new Refusal("COMPLIANCE_REJECTED", "compliance refuses to pay this customer now");
      }
      const isMissing = (error: unknown) => {
        if (error instanceof Refusal && /NOT_FOUND|FORBIDDEN/.test(error.code)) return { account: undefined };
        throw error;
      };
      if (payTo.kind === "WALLET") {
        const { account } = await wallet.getWalletAccount({ accountId: payTo.walletAccountId }, call).catch(isMissing);
        if (account?.customerId !== customerId)
          return new Refusal("ACCOUNT_NOT_FOUND", "no such wallet account of this customer");
        return account.currency === currency ? undefined : currencyMismatch(currency);
      }
      const { bankAccountId } = payTo;
      const { account } = await wallet.getBankAccount({ bankAccountId, customerId }, call).catch(isMissing);
      if (account?.status !== "VERIFIED")
        return new Refusal("BANK_ACCOUNT_MISMATCH", "no such verified bank account of the customer");
      return account.currency === currency ? undefined : currencyMismatch(currency);
    },

    /**
     * Pays a bank account by the bank that was written down; nothing to do for a wallet. The
     * refusal when it will never be paid; throws while that is not known.
     */
    async send(
      target: Target,
      order: { reference: string; amountMinor: bigint; narration: string; at: OwnPartner | undefined },
    ): Promise<Refusal | undefined> {
      const { tenantId, interactionId, customerId, currency, payTo } = target;
      if (payTo.kind === "WALLET") return undefined;
      // One that its owner has taken away meanwhile still has its number: a transfer that may be on
      // its way is asked for as it was.
      const { account } = await wallet.getBankAccount(
        { bankAccountId: payTo.bankAccountId, customerId },
        outgoing({ tenantId, interactionId }),
      );
      if (account === undefined) throw new Error("wallet answered without a bank account");
      const { bankCode, accountNumber, accountHolderName } = account;
      const { reference, amountMinor, narration, at } = order;
      const to = { bankCode, accountNumber, accountHolderName };
      const parties = await partiesOf({ reference, customerId, to: account }, { tenantId, interactionId });
      const transfer = await bank.transfer(
        { reference, amount: money(amountMinor, currency), to, narration, parties },
        { tenantId, at },
      );
      if (transfer.status === "ACCEPTED") throw new Refusal("UNAVAILABLE", "the bank has not paid it yet");
      // What came back had been paid: it is booked, and then taken back.
      if (transfer.status !== "REFUSED") return undefined;
      return new Refusal("VERIFICATION_FAILED", `the bank refused it: ${transfer.reason}`);
    },
  };
}

function currencyMismatch(currency: string): Refusal {
  return new Refusal("CURRENCY_MISMATCH", `the loan is in ${currency}`);
}
