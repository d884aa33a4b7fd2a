import {
  AssignCreditRequest,
  AssignCreditResponse,
  type ListUnmatchedCreditsRequest,
  type ListUnmatchedCreditsResponse,
} from "../../../proto/gen/wallet/v1/money_in.js";
import type { Call } from "../../kernel/grpc/context.js";
import { invalidInput, passing, Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { refusalByStatus } from "../domain/account.js";
import { accountsOfCredit, transferOfAssignment } from "../domain/credit.js";
import { withHeld } from "../domain/held-arrival.js";
import { creditToWire } from "../wire/credits.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import type { WalletDeps } from "./deps.js";
import { findOpenedAccount } from "./find-account.js";
import { runMovement } from "./run-movement.js";

export function listUnmatchedCredits({ store }: WalletDeps) {
  return async (request: ListUnmatchedCreditsRequest, call: Call): Promise<ListUnmatchedCreditsResponse> => {
    const size = request.pageSize || 20;
    if (size < 1 || size > 100) throw invalidInput("pageSize", "must be 1 to 100");
    textFromWire(request.cursor, "cursor", { minimum: 0 });
    const found = await store.forTenant(call.tenantId).unmatchedCredits(request.cursor, size + 1);
    const credits = found.slice(0, size);
    const nextCursor = found.length > size ? (credits.at(-1)?.creditId ?? "") : "";
    return { credits: credits.map(creditToWire), nextCursor };
  };
}

/**
 * Refuses NOT_FOUND, STATE_CONFLICT once it is somebody's, ACCOUNT_NOT_FOUND, ACCOUNT_CLOSED,
 * CURRENCY_MISMATCH.
 */
export function assignCredit(deps: WalletDeps) {
  return async (request: AssignCreditRequest, call: Call): Promise<AssignCreditResponse> => {
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
          return new Refusal("CURRENCY_MISMATCH", `the credit is in ${currency}, the wallet holds ${account.currency}`);
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
  };
}
