import { decisionOr } from "../../platform/neighbours/decision.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { moneyToWire } from "../../kernel/money.js";
import { isSandbox } from "../../platform/sandbox/sandbox.js";
import { isRefusalCode, Refusal, type RefusalCode } from "../../kernel/refusal.js";
import { accountCodes, accountOf, type AccountCode, type PlannedTransfer } from "../domain/transfers.js";
import type { Ledger } from "./neighbours.js";

/** In whose name, and until when, the ledger is asked. */
export interface PostingCall {
  readonly tenantId: string;
  readonly interactionId: string;
  readonly createdBy: string;
  readonly deadline?: Date;
  readonly signal?: AbortSignal;
}

const names: Record<AccountCode, string> = {
  customer_investments: "Customer investments",
  investment_interest_payable: "Interest payable on investments",
  investment_interest_expense: "Interest on investments",
  investment_dividend_expense: "Dividends on investments",
  withholding_tax_payable: "Withholding tax payable",
  investment_penalty_income: "Penalties of early redemption",
};

const none: ReadonlySet<RefusalCode> = new Set();
// What the ledger decides about a wallet that is paid into.
const decisions: ReadonlySet<string> = new Set(["ACCOUNT_CLOSED", "AMOUNT_TOO_LARGE"]);
const maxCached = 10_000;

export type Posting = ReturnType<typeof createPosting>;

/** The ledger's side of investments. */
export function createPosting(ledger: Pick<Ledger, "createAccounts" | "postTransfers">) {
  const existing = new Set<string>();

  return {
    /**
     * Our accounts in a currency, made on first need; remembered for the process's life. Throws
     * UNAVAILABLE.
     */
    async ensureAccounts(currency: string, call: PostingCall): Promise<void> {
      const known = `${call.tenantId} ${currency}`;
      if (existing.has(known)) return;
      const accounts = accountCodes.map((code) => ({
        accountId: accountOf(code, currency),
        code,
        currency,
        name: `${names[code]} ${currency}`,
      }));
      await ledger.createAccounts({ accounts }, outgoing(call)).catch((error: unknown) => {
        throw decisionOr(error, none, "an account");
      });
      if (existing.size >= maxCached) existing.clear();
      existing.add(known);
    },

    /**
     * Posts linked groups, each decided once and for ever by its keys: when it was posted, in a
     * sandbox by the tenant's time, or the refusal of a wallet that is closed. Throws while nothing
     * is decided: UNAVAILABLE, DEADLINE_EXCEEDED.
     */
    async post(groups: readonly (readonly PlannedTransfer[])[], call: PostingCall): Promise<(Date | Refusal)[]> {
      const request = {
        groups: groups.map((transfers) => ({
          transfers: transfers.map((transfer) => transferToWire(transfer, call.tenantId)),
        })),
        createdBy: call.createdBy,
      };
      const { results } = await ledger.postTransfers(request, outgoing(call)).catch((error: unknown) => {
        throw decisionOr(error, none, "a posting");
      });
      return groups.map((group, index) => {
        const { posted, refused } = results[index] ?? {};
        if (refused !== undefined) return refusalOf(refused);
        const postedAt = posted?.transfers.at(-1)?.postedAt;
        if (postedAt === undefined) throw new Error("the ledger answered without a result");
        // What a purchase is booked at, too: a statement has one clock.
        return isSandbox(call.tenantId) ? group.at(-1)!.at : postedAt;
      });
    },
  };
}

/**
 * In a sandbox, whose date may be moved, an entry is effective in the tenant's time. Elsewhere it
 * is effective when it is posted: a day's books may be closed by the time that a neighbour which
 * was away is back.
 */
function transferToWire({ at, ...transfer }: PlannedTransfer, tenantId: string) {
  const effective = isSandbox(tenantId) ? { effectiveAt: at } : {};
  return { ...transfer, ...effective, amount: moneyToWire(transfer.amount), mode: "TRANSFER_MODE_POSTED" as const };
}

function refusalOf({ code, message }: { code: string; message: string }): Refusal {
  if (isRefusalCode(code) && decisions.has(code)) return new Refusal(code, message);
  throw new Error(`the ledger refused what it should not have been asked: ${code} ${message}`);
}
