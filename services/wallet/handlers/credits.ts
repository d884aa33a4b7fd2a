import { v7 as uuidv7 } from "uuid";
import {
  AssignCreditRequest,
  AssignCreditResponse,
  ReceiveBankTransferRequest,
  ReceiveBankTransferResponse,
} from "../../../proto/gen/wallet/v1/money_in.js";
import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import { actorOf } from "../../kernel/grpc/context.js";
import { invalidInput, passing, Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { parseMoney } from "../../kernel/money.js";
import { isSandbox } from "../../platform/sandbox/sandbox.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { refusalByStatus } from "../domain/account.js";
import { accountsOfCredit, transferOfAssignment, type StoredCredit } from "../domain/credit.js";
import { withHeld } from "../domain/held-arrival.js";
import { creditToWire } from "../wire/credits.js";
import { heldToWire } from "../wire/held-arrivals.js";
import { checkPositive } from "../domain/payment.js";
import type { WalletDeps } from "./deps.js";
import { findOpenedAccount } from "./find-account.js";
import { runMovement } from "./run-movement.js";

/** What arrived at the bank: matched to no account, held, or made to arrive in a sandbox. */
export function creditHandlers(deps: WalletDeps) {
  const { store, runOnce, credits, ceilings, clock } = deps;
  return {
    async listUnmatchedCredits(request, call) {
      const size = request.pageSize || 20;
      if (size < 1 || size > 100) throw invalidInput("pageSize", "must be 1 to 100");
      textFromWire(request.cursor, "cursor", { minimum: 0 });
      const found = await store.forTenant(call.tenantId).unmatchedCredits(request.cursor, size + 1);
      const credits = found.slice(0, size);
      const nextCursor = found.length > size ? (credits.at(-1)?.creditId ?? "") : "";
      return { credits: credits.map(creditToWire), nextCursor };
    },

    /**
     * Refuses NOT_FOUND, STATE_CONFLICT once it is somebody's, ACCOUNT_NOT_FOUND, ACCOUNT_CLOSED,
     * CURRENCY_MISMATCH.
     */
    async assignCredit(request, call) {
      const wallet = deps.store.forTenant(call.tenantId);
      const creditId = textFromWire(request.creditId, "creditId");
      reasonFromWire(request.reason);
      return runMovement<AssignCreditRequest, AssignCreditResponse>(deps, {
        operation: "wallet.v1.AssignCredit",
        request,
        requestType: AssignCreditRequest,
        response: AssignCreditResponse,
        call,
        plan: async (movementId) => {
          const credit = await wallet.findCredit(creditId);
          if (credit === undefined) throw new Refusal("NOT_FOUND", "no such credit");
          const account = await findOpenedAccount(deps, textFromWire(request.accountId, "accountId"), call);
          if (credit.status === "TAKEN" || credit.status === "ASSIGNING") {
            return passing("STATE_CONFLICT", "the credit is being given to somebody");
          }
          if (credit.status !== "UNMATCHED") return new Refusal("STATE_CONFLICT", "the credit is somebody's already");
          if (account.status === "CLOSED") return refusalByStatus(account) as Refusal;
          const { currency } = credit.amount;
          // The tenant's ceiling has set it aside for staff to look at; the operator's holds.
          deps.ceilings.checkSum(credit.amount);
          if (account.currency !== currency) {
            return new Refusal(
              "CURRENCY_MISMATCH",
              `the credit is in ${currency}, the wallet holds ${account.currency}`,
            );
          }
          const { accountId, customerId } = account;
          const { isHeld } = await deps.moves.ask({ customerId, kind: "BANK_CREDIT_RECEIVED" }, call);
          const movement = {
            kind: "CREDIT_ASSIGNMENT" as const,
            accountId,
            customerId,
            ownAccounts: [accountsOfCredit(credit).suspense],
            transfers: [transferOfAssignment(credit, movementId, accountId)],
            subjectId: creditId,
            credit: { ...credit, status: "ASSIGNED" as const, accountId },
          };
          return isHeld ? withHeld(movement, account, "BANK_CREDIT_RECEIVED") : movement;
        },
      });
    },

    async listHeldArrivals(request, call) {
      const size = request.pageSize || 20;
      if (size < 1 || size > 100) throw invalidInput("pageSize", "must be 1 to 100");
      const cursor = textFromWire(request.cursor, "cursor", { minimum: 0, maximum: 255 });
      const found = await store.forTenant(call.tenantId).listHeld({ heldOnly: !request.all }, cursor, size + 1);
      const page = found.slice(0, size);
      const nextCursor = found.length > size ? (page.at(-1)?.heldId ?? "") : "";
      return { arrivals: page.map(heldToWire), nextCursor };
    },

    /**
     * Makes a bank transfer arrive at a sandbox's bank: it is taken here with its decision, and
     * booked by its outbox row as one from a bank's list is. Refuses FORBIDDEN outside a sandbox,
     * AMOUNT_NOT_POSITIVE, AMOUNT_ABOVE_CEILING.
     */
    async receiveBankTransfer(request, call) {
      const { tenantId } = call;
      if (!isSandbox(tenantId)) throw new Refusal("FORBIDDEN", "bank transfers are made to arrive in a sandbox only");
      const { currency } = request;
      assertCurrency(currency, "currency");
      const amount = parseMoney(request.amount, currency, "amount");
      checkPositive(amount);
      const credit = {
        creditId: `sandbox-${uuidv7()}`,
        reference: textFromWire(request.reference, "reference"),
        amount,
        senderName: textFromWire(request.senderName, "senderName", { maximum: 100 }),
        senderAccountNumber: textFromWire(request.senderAccountNumber, "senderAccountNumber", {
          minimum: 0,
          maximum: 40,
        }),
        receivedAt: clock.now(),
      };
      return runOnce<ReceiveBankTransferRequest, ReceiveBankTransferResponse, StoredCredit>({
        operation: "wallet.v1.ReceiveBankTransfer",
        request,
        requestType: ReceiveBankTransferRequest,
        response: ReceiveBankTransferResponse,
        call,
        prepare: async () => {
          await ceilings.check(call, amount);
          const partner = await deps.banks.takerOf(tenantId, call.interactionId);
          return credits.decide(tenantId, { ...credit, ...(partner && { partner }) });
        },
        work: async (session, taken) => {
          const { interactionId } = call;
          await credits.insert(taken, { tenantId, interactionId, actor: actorOf(call) }, session);
          return { credit: creditToWire(taken) };
        },
      });
    },
  } satisfies Partial<Handlers<WalletServiceDefinition>>;
}
