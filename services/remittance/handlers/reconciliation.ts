import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput } from "../../kernel/refusal.js";
import type { UnreadPartner } from "../jobs/reconciled-books.js";
import { createReconciliation, type Compared } from "../jobs/reconciliation.js";
import type { RemittanceDeps } from "./deps.js";

// A call ends after the stretch that passes either: whoever asks goes on from its cursor.
const enoughTransactions = 2_000;
const enoughDifferences = 500;

/** Partner's statement against transactions and ledger, some thousand payouts a call. */
export function reconciliationHandlers(deps: RemittanceDeps) {
  const { clock } = deps;
  return {
    async reconcilePayouts(request, call) {
      const from = request.from ?? new Date(0);
      const to = request.to ?? new Date(Math.max(Date.now(), clock.now().getTime()) + 1);
      if (from >= to) throw invalidInput("to", "must be after from");
      const reconciliation = createReconciliation(deps);
      const all: Compared = { statementLines: 0, transactions: 0, differences: [] };
      let at = request.cursor === "" ? from : timeOf(request.cursor, { from, to });
      while (at < to) {
        if (all.transactions >= enoughTransactions || all.differences.length >= enoughDifferences) {
          return { ...all, nextCursor: at.toISOString(), unread: unreadToWire(reconciliation.listUnread()) };
        }
        const stretch = await reconciliation.nextStretch({ from: at, to }, call);
        if (stretch === undefined) break;
        const { statementLines, transactions, differences } = await reconciliation.compareStretch(stretch, call);
        all.statementLines += statementLines;
        all.transactions += transactions;
        all.differences.push(...differences);
        at = stretch.to;
      }
      return { ...all, nextCursor: "", unread: unreadToWire(reconciliation.listUnread()) };
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}

const unreadToWire = (unread: readonly UnreadPartner[]) =>
  unread.map(({ installationId = "", reason }) => ({ installationId, reason }));

function timeOf(cursor: string, { from, to }: { from: Date; to: Date }): Date {
  const time = new Date(cursor);
  if (Number.isNaN(time.getTime()) || time < from || time >= to) {
    throw invalidInput("cursor", "must be the next_cursor of an answer for this range");
  }
  return time;
}
