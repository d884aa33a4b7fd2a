import { randomInt, randomUUID } from "node:crypto";
import type { Connection } from "mongoose";
import { chartRow } from "../../../services/ledger/domain/chart.js";
import { countDays } from "../../../services/ledger/domain/days.js";
import { emptyHead } from "../../../services/ledger/domain/journal.js";
import type { Account, LinkedGroup, NewTransfer, Transfer } from "../../../services/ledger/domain/model.js";
import { planGroup, type Tip, type View } from "../../../services/ledger/domain/planning.js";
import { collections } from "../../../services/ledger/store/collections.js";
import { createLedgerStore } from "../../../services/ledger/store/index.js";
import { createJournalStore } from "../../../services/ledger/store/journal.js";
import { transferToDocument } from "../../../services/ledger/store/mapping.js";
import { accountName, makeAccounts } from "../ledger/database.js";

export const month = { name: "2026-10", firstMs: Date.parse("2026-10-01T00:00:00Z"), days: 31 };
const feeAccount = "wallet_fee_income:USD";
const insertedAtOnce = 2_000;

/**
 * A month of payments between wallets, each with its fee, planned by the ledger's own rules. Only
 * transfers and the head are written: a package reads nothing else of accounts than who they are.
 */
export async function fillMonth(db: Connection, tenantId: string, transfers: number, accounts: number): Promise<void> {
  await makeAccounts(db, tenantId, accounts);
  const store = createLedgerStore(db).forTenant(tenantId);
  const fees = { accountId: feeAccount, code: "wallet_fee_income", currency: "USD", name: "Fees", ownerId: "" };
  const made = { ...chartRow("wallet_fee_income")!, ...fees, flags: [], metadata: [], createdAt: new Date() };
  await store.ensureAccounts([made]);
  await createJournalStore(db, tenantId).raiseEpoch(1n);

  const known = new Map<string, Account>();
  for (let after = ""; ;) {
    const page = await store.listAccounts(
      { code: "", currency: "", ownerId: "", metadata: [], exists: [] },
      after,
      1_000,
    );
    for (const account of page) known.set(account.info.accountId, account);
    if (page.length < 1_000) break;
    after = page.at(-1)!.info.accountId;
  }
  let tip: Tip = emptyHead(tenantId);
  let waiting: Transfer[] = [];
  const insert = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const documents = waiting.map((transfer) => transferToDocument(tenantId, transfer, "bench", Buffer.alloc(32)));
    await db.collection(collections.transfers).insertMany(documents as never, { ordered: false });
    waiting = [];
  };
  for (let done = 0; done < transfers; done += 2) {
    const timeMs = month.firstMs + Math.floor((done / transfers) * (month.days * 86_400_000 - 1));
    const view: View = {
      days: countDays({ timeZone: "UTC", aheadMs: 0 }, undefined, timeMs),
      account: (accountId) => known.get(accountId),
      pending: () => undefined,
      reversible: () => undefined,
    };
    const plan = planGroup(payment(accounts), view, tip, timeMs);
    if (plan.kind !== "posted") throw new Error(JSON.stringify(plan.refusal));
    tip = plan.tip;
    for (const [accountId, account] of plan.accounts) known.set(accountId, account);
    waiting.push(...plan.transfers);
    if (waiting.length >= insertedAtOnce) await insert();
  }
  await insert();
  const { seq, hash } = tip;
  await db.collection(collections.heads).updateOne({ _id: tenantId as never, tenantId }, { $set: { seq, hash } });
}

function payment(accounts: number): LinkedGroup {
  const key = randomUUID();
  const from = randomInt(accounts);
  const to = (from + 1 + randomInt(accounts - 1)) % accounts;
  const one = (part: string, credit: string, minor: number, metadata: [string, string][]): NewTransfer => ({
    key: `payment:${key}:${part}`,
    mode: "POSTED",
    debitAccountId: accountName(from),
    creditAccountId: credit,
    amount: { minor: BigInt(minor), currency: "USD" },
    kind: part,
    refersTo: "",
    description: part === "fee" ? "Fee" : "Rent of November, second floor",
    metadata,
  });
  return {
    transfers: [
      one("payment", accountName(to), 1 + randomInt(1_000_000), [["reference", key]]),
      one("fee", feeAccount, 1 + randomInt(500), []),
    ],
    createdBy: "bench",
    interactionId: key,
    service: "wallet",
  };
}
