import {
  RecordDepositRequest,
  RecordDepositResponse,
  type WalletServiceDefinition,
} from "../../../proto/gen/wallet/v1/wallet.js";
import { moneyFromWire } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { refusalByStatus } from "../domain/account.js";
import { withHeld } from "../domain/held-arrival.js";
import { checkPositive } from "../domain/payment.js";
import { bankSettlement, transferOfDeposit } from "../domain/transfers.js";
import type { WalletDeps } from "./deps.js";
import { findOpenedAccount } from "./find-account.js";
import { namedBank } from "./named-bank.js";
import { runMovement } from "./run-movement.js";

/**
 * Puts money that arrived at the bank into a wallet. Refuses ACCOUNT_NOT_FOUND, CURRENCY_MISMATCH,
 * AMOUNT_NOT_POSITIVE, INVALID_INPUT for a bank that is not said where there are several.
 */
export function depositHandlers(deps: WalletDeps) {
  return {
    async recordDeposit(request, call) {
      textFromWire(request.accountId, "accountId");
      const reference = textFromWire(request.reference, "reference");
      const amount = moneyFromWire(request.amount, "amount");
      checkPositive(amount);
      return runMovement<RecordDepositRequest, RecordDepositResponse>(deps, {
        operation: "wallet.v1.RecordDeposit",
        request,
        requestType: RecordDepositRequest,
        response: RecordDepositResponse,
        call,
        plan: async (depositId) => {
          const account = await findOpenedAccount(deps, request.accountId, call);
          // A frozen one takes money in.
          if (account.status === "CLOSED") return refusalByStatus(account) as Refusal;
          const { accountId, customerId, currency } = account;
          if (currency !== amount.currency) throw new Refusal("CURRENCY_MISMATCH", `the account holds ${currency}`);
          await deps.ceilings.check(call, amount);
          const { isHeld } = await deps.moves.ask({ customerId, kind: "BANK_CREDIT_RECEIVED" }, call);
          const at = await namedBank(deps.banks, request.bank, call);
          const movement = {
            kind: "DEPOSIT" as const,
            accountId,
            customerId,
            ownAccounts: [bankSettlement(currency, at)],
            transfers: [transferOfDeposit({ depositId, accountId, amount, reference, at })],
          };
          return isHeld ? withHeld(movement, account, "BANK_CREDIT_RECEIVED") : movement;
        },
      });
    },
  } satisfies Partial<Handlers<WalletServiceDefinition>>;
}
