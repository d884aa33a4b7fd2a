import type { Entry } from "../../../proto/gen/ledger/v1/ledger.js";
import type { StatementEntry } from "../../../proto/gen/wallet/v1/statements.js";
import type { Booking } from "../../../proto/gen/wallet/v1/bookings.js";
import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { requireUser } from "../../kernel/grpc/context.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { moneyToWire } from "../../kernel/money.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { bookingKinds, transfersOfBooking, type BookingKind, type BookingRow } from "../domain/booking.js";
import type { WalletDeps } from "./deps.js";
import { findOpenedAccount } from "./find-account.js";

const pageSize = 500;

/** What was booked on accounts. */
export function bookingHandlers({ store, ledger }: WalletDeps) {
  return {
    /**
     * Gives a page of a wallet's entries in the ledger. Refuses ACCOUNT_NOT_FOUND, FORBIDDEN for
     * another customer's.
     */
    async listStatement(request, call) {
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
    },

    /**
     * Lists all that the wallet has booked or is about to, for comparing it with the ledger: kind
     * by kind, by id.
     */
    async listBookings({ cursor }, call) {
      const [named = bookingKinds[0], after = ""] = cursor === "" ? [] : cursor.split(/ (.*)/s);
      const kind = bookingKinds.find((one) => one === named);
      if (kind === undefined) throw invalidInput("cursor", "is not one of ours");
      const rows = await store.forTenant(call.tenantId).bookingPage(kind, after, pageSize);
      const last = rows.at(-1);
      const following = bookingKinds[bookingKinds.indexOf(kind) + 1];
      const isFull = rows.length === pageSize && last !== undefined;
      const nextCursor = isFull ? `${kind} ${last.cursor ?? last.id}` : following === undefined ? "" : `${following} `;
      return { bookings: rows.map((row) => bookingOf(kind, row) as Booking), nextCursor };
    },
  } satisfies Partial<Handlers<WalletServiceDefinition>>;
}

function entryOf(entry: Entry): StatementEntry {
  const { entryId, amount, balanceMinor, kind, description, executedAt, effectiveAt, interactionId, sequence } = entry;
  const side = entry.side === "ENTRY_SIDE_DEBIT" ? "DEBIT" : "CREDIT";
  return { entryId, side, amount, balanceMinor, kind, description, executedAt, effectiveAt, interactionId, sequence };
}

function bookingOf(kind: BookingKind, row: BookingRow): WirePartial<Booking> {
  const { id, state } = row;
  const base = { kind, id, state, keyPrefix: "", transactionId: "", total: undefined };
  if (row.payment !== undefined && row.payment.plan === undefined) {
    const { payableType, payableId, total } = row.payment;
    const transactionId = payableType === "TRANSACTION" ? payableId : "";
    return { ...base, transfers: [], keyPrefix: `payment:${id}:`, total: moneyToWire(total), transactionId };
  }
  return {
    ...base,
    transfers: transfersOfBooking(row).map(({ key, amount }) => ({ key, amount: moneyToWire(amount) })),
  };
}
