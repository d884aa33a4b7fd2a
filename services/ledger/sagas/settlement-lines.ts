import { crashPoint } from "../../kernel/process/crash-point.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import type { OutboxRow, RelayContext, RowHandler } from "../../kernel/outbox/index.js";
import { Refusal } from "../../kernel/refusal.js";
import { isInbound, type Gathering, type Settlement, type SettlementRefusal } from "../domain/settlement.js";
import { assertLinesSum, isLine, lineOf, maxLines, type SettlementLine } from "../domain/settlement-lines.js";
import type { LedgerStore } from "../store/index.js";
import { settledThrough } from "./open-lines.js";
import { refuseSettlement, type EndingDeps } from "./settlement-endings.js";

// One transaction's worth: far below what MongoDB writes in the life of one.
const pageTransfers = 1_000;

/**
 * Takes the lines of a settlement that names a day, a page after the other: whoever is cut off goes
 * on where it was. It ends proposed, or refused where the lines are not the amount.
 */
export function createLineGathering(deps: EndingDeps & { readonly store: LedgerStore }) {
  const { db, store, settlements } = deps;

  /** What is open of the next transfers, and how far they reach; undefined behind the last one. */
  async function nextLines(settlement: Settlement, gathering: Gathering, { tenantId }: OutboxRow) {
    const { accountId } = settlement;
    const tenant = store.forTenant(tenantId);
    // What is settled is passed over; of what is taken here the mark knows nothing yet.
    const settled = gathering.takenSeq === 0n ? await settledThrough(deps, tenantId, accountId, Infinity) : 0n;
    const after = settled > gathering.takenSeq ? settled : gathering.takenSeq;
    const range = { after, before: gathering.lastSeq + 1n, limit: pageTransfers };
    const [[account], page] = await Promise.all([
      tenant.findAccounts([accountId]),
      tenant.findByAccount(accountId, range),
    ]);
    const last = page.at(-1);
    if (account === undefined || last === undefined) return undefined;
    const side = isInbound(account.info) ? "DEBIT" : "CREDIT";
    const may = page.filter(({ day, ...transfer }) => day <= gathering.throughDay && isLine(transfer));
    const keys = may.map(({ key }) => key);
    const taken = await settlements.forTenant(tenantId).takenOf(accountId, keys);
    const lines = may.filter(({ key }) => !taken.has(key)).map((transfer) => lineOf(transfer, accountId, side));
    return { lines, takenSeq: last.seq };
  }

  /** False where the settlement is over, or another run was faster. */
  async function take(
    settlement: Settlement,
    gathering: Gathering,
    { lines, takenSeq }: { lines: readonly SettlementLine[]; takenSeq: bigint },
    { tenantId }: OutboxRow,
  ): Promise<boolean> {
    const { settlementId, lineCount } = settlement;
    const ofTenant = settlements.forTenant(tenantId);
    const sumMinor = lines.reduce((sum, { amountMinor }) => sum + amountMinor, gathering.takenMinor);
    const after = { ...gathering, takenSeq, takenMinor: sumMinor };
    return inTransaction<boolean>(
      db,
      async (session) => {
        const now = await ofTenant.find(settlementId, session);
        if (now?.gathering?.takenSeq !== gathering.takenSeq) return false;
        const change = { gathering: after, lineCount: lineCount + lines.length };
        if (!(await ofTenant.move(settlementId, "PROPOSING", change, session))) return false;
        await ofTenant.takeLines(settlementId, lines, session);
        return true;
      },
      {
        readBack: async () =>
          (await ofTenant.find(settlementId))?.gathering?.takenSeq === takenSeq ? true : undefined,
      },
    );
  }

  async function end(row: OutboxRow, context: RelayContext, refusal: SettlementRefusal | undefined): Promise<void> {
    const ofTenant = settlements.forTenant(row.tenantId);
    await inTransaction(
      db,
      async (session) => {
        const settlement = await ofTenant.find(String(row.payload["settlementId"]), session);
        if (settlement?.status === "PROPOSING") {
          const { settlementId, decidedBy } = settlement;
          const status = decidedBy === undefined ? ("PROPOSED" as const) : ("APPROVED" as const);
          if (refusal === undefined) await ofTenant.move(settlementId, "PROPOSING", { status }, session);
          else await refuseSettlement(deps, settlement, { refusal }, row, session);
        }
        await context.complete(session);
        return true;
      },
      { readBack: async () => undefined },
    );
  }

  const gather: RowHandler = async (row, context) => {
    const ofTenant = settlements.forTenant(row.tenantId);
    for (;;) {
      const settlement = await ofTenant.find(String(row.payload["settlementId"]));
      const { gathering, status, lineCount = 0 } = settlement ?? {};
      if (settlement === undefined || gathering === undefined || status !== "PROPOSING") return;
      if (context.signal.aborted) return "later";
      const next = lineCount > maxLines ? undefined : await nextLines(settlement, gathering, row);
      if (next === undefined) return end(row, context, mismatch(settlement, gathering));
      try {
        await take(settlement, gathering, next, row);
      } catch (error) {
        // Another settlement took one meanwhile: the page is looked at again.
        if (!(error instanceof Refusal && error.code === "LINE_TAKEN")) throw error;
      }
      crashPoint("ledger.settlement.lines-taken");
    }
  };

  return { gather };
}

/** Why lines that are all taken are not the settlement's; undefined where they are. */
function mismatch(settlement: Settlement, { takenMinor }: Gathering): SettlementRefusal | undefined {
  if (settlement.lineCount > maxLines)
    return { code: "LINES_MISMATCH", message: `more than ${maxLines} lines are open` };
  try {
    assertLinesSum(settlement, takenMinor);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message, details } = error;
    return { code, message, ...(details && { details }) };
  }
}
