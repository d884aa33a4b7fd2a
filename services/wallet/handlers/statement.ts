import type { Entry } from "../../../proto/gen/ledger/v1/ledger.js";
import type {
  ListStatementRequest,
  ListStatementResponse,
  StatementEntry,
} from "../../../proto/gen/wallet/v1/statements.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { WalletDeps } from "./deps.js";
import { findOpenedAccount } from "./find-account.js";

/**
 * Gives a page of a wallet's entries in the ledger. Refuses ACCOUNT_NOT_FOUND, FORBIDDEN for
 * another customer's.
 */
export function listStatement({ store, ledger }: WalletDeps) {
  return async (request: ListStatementRequest, call: Call): Promise<ListStatementResponse> => {
    const accountId = textFromWire(request.accountId, "accountId");
    const { from, until, newestFirst, pageSize, cursor } = request;
    if (pageSize < 0 || pageSize > 1_000) throw invalidInput("pageSize", "must be 1 to 1000");
    const account = await findOpenedAccount({ store }, accountId, call);
    const { role, customerId } = requireUser(call);
    if (role === "CUSTOMER" && account.customerId !== customerId) {
      throw new Refusal("FORBIDDEN", "the account is another customer's");
    }
    const page = { accountId, from, until, newestFirst, pageSize, cursor };
    const { entries, nextCursor } = await ledger.listAccountEntries(page, outgoing(call));
    const { accountNumber, currency } = account;
    return { entries: entries.map(entryOf), nextCursor, accountNumber, currency };
  };
}

function entryOf(entry: Entry): StatementEntry {
  const { entryId, amount, balanceMinor, kind, description, executedAt, effectiveAt, interactionId, sequence } = entry;
  const side = entry.side === "ENTRY_SIDE_DEBIT" ? "DEBIT" : "CREDIT";
  return { entryId, side, amount, balanceMinor, kind, description, executedAt, effectiveAt, interactionId, sequence };
}
