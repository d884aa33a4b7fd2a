import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { v7 as uuidv7 } from "uuid";
import { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import { createTellingStore } from "../../../services/ledger/store/tellings.js";
import { createClient, outgoing } from "../../../services/kernel/grpc/client.js";
import { money } from "../../../services/kernel/money.js";
import { createServiceTokenSigner } from "../../../services/kernel/tokens/service-tokens.js";
import {
  transferOfDeposit,
  transferToWallet,
  type PlannedTransfer,
} from "../../../services/wallet/domain/transfers.js";
import type { DocumentOf } from "../../../services/kernel/mongo/record-collection.js";
import type { StoredPayment } from "../../../services/wallet/store/payments.js";
import { insertAll, progress, templateOf, type Databases } from "./databases.js";
import type { Customer } from "./people.js";
import type { Cluster, Tenant, Wallet } from "./world.js";

const depositMinor = 10_000_000n;
const paidMinor = 100n;
// A call of the ledger carries a thousand; while one is committed, the next is planned.
const postingsAtOnce = 1_000;
const callsAtOnce = 2;

interface Posting {
  interactionId: string;
  transfer: PlannedTransfer;
}

/**
 * Wallet payments of everybody to everybody. Their transfers are posted by the ledger itself, so
 * the journal is one chain and the books are exact; payments lie as the wallet keeps them. One of
 * a hundred is of Amina's wallet.
 */
export async function addPayments(
  cluster: Cluster,
  databases: Databases,
  tenant: Tenant,
  customers: readonly Customer[],
  amina: Wallet,
): Promise<void> {
  const tenantId = tenant.id;
  const ledger = openLedger(cluster, tenantId);
  await ledger.createAccounts(customers);
  await tellNothingOf(databases, tenantId, customers.length + tenant.transactions);
  await ledger.post(customers.length, "deposits", (index) => {
    const { accountId } = customers[index]!;
    const deposit = { depositId: uuidv7(), accountId, amount: money(depositMinor, "USD"), reference: "growth" };
    return { interactionId: randomUUID(), transfer: transferOfDeposit(deposit) };
  });
  const { _id: _payment, ...plain } = await templateOf<DocumentOf<StoredPayment, "paymentId"> & { tenantId: string }>(
    databases.wallet,
    "payments",
    {
      tenantId,
      payableType: "WALLET_CUSTOMER",
    },
  );
  const paid = Array.from({ length: tenant.transactions }, (_, index) => {
    const payer = customers[(index * 3) % customers.length]!;
    const payee = customers[(index * 5 + 1) % customers.length]!;
    const payableId = index % 100 === 0 ? amina.accountId : payee.accountId;
    return { paymentId: uuidv7(), payer, payee, payableId, interactionId: randomUUID() };
  });
  const transferOf = ({ paymentId, payer, payableId }: (typeof paid)[number]) =>
    transferToWallet({ paymentId, accountId: payer.accountId, payableId, total: money(paidMinor, "USD") });
  await ledger.post(paid.length, "payments posted", (index) => {
    const one = paid[index]!;
    return { interactionId: one.interactionId, transfer: transferOf(one) };
  });
  const spent = new Map<string, bigint>();
  await insertAll(databases.wallet, "payments", paid.length, (index) => {
    const { paymentId, payer, payee, payableId, interactionId } = paid[index]!;
    const before = spent.get(payer.accountId) ?? depositMinor;
    spent.set(payer.accountId, before - paidMinor);
    const { customerId, userId, accountId, accountNumber } = payer;
    return {
      _id: paymentId,
      ...plain,
      customerId,
      accountId,
      accountNumber,
      payableId,
      plan: { ...plain.plan!, transfers: [transferOf(paid[index]!)], payeeCustomerId: payee.customerId },
      totalMinor: paidMinor,
      paymentGatewayRef: paymentId,
      caller: userId,
      createdBy: userId,
      idempotencyKey: paymentId,
      interactionId,
      ending: { ...plain.ending!, newBalanceMinor: before - paidMinor },
    };
  });
  ledger.close();
}

/**
 * Two events a transfer would be told for an hour beside what is
 * measured: transactions have theirs.
 */
async function tellNothingOf({ ledger }: Databases, tenantId: string, transfers: number): Promise<void> {
  const head = await templateOf<{ seq: bigint }>(ledger, "heads", { tenantId });
  await createTellingStore(ledger).recordPublished(tenantId, head.seq + BigInt(transfers));
}

function openLedger({ file }: Cluster, tenantId: string) {
  const privateJwk = JSON.parse(readFileSync(join(file.dataDir, "keys", "wallet.jwk.json"), "utf8")) as never;
  const ledger = createClient(LedgerServiceDefinition, {
    address: file.addresses["ledger"]!,
    audience: "ledger",
    signer: createServiceTokenSigner({ service: "wallet", privateJwk }),
  });
  const call = () => outgoing({ tenantId, interactionId: randomUUID() }, { timeoutMs: 120_000 });
  return {
    close: () => ledger.close(),
    async createAccounts(customers: readonly Customer[]): Promise<void> {
      for (let from = 0; from < customers.length; from += 500) {
        const accounts = customers.slice(from, from + 500).map(({ accountId, accountNumber, customerId }) => ({
          accountId,
          code: "customer_wallet",
          currency: "USD",
          name: `USD wallet ${accountNumber}`,
          ownerId: customerId,
          flags: ["ACCOUNT_FLAG_DEBITS_MUST_NOT_EXCEED_CREDITS" as const],
          metadata: { accountNumber },
        }));
        await ledger.createAccounts({ accounts }, call());
        progress("ledger accounts", from + accounts.length, customers.length);
      }
    },
    /** Each in the name of its own interaction; throws where one is refused. */
    async post(count: number, what: string, postingOf: (index: number) => Posting): Promise<void> {
      let next = 0;
      const poster = async () => {
        for (;;) {
          const from = next;
          next += postingsAtOnce;
          if (from >= count) return;
          const some = Array.from({ length: Math.min(postingsAtOnce, count - from) }, (_, at) => postingOf(from + at));
          const postings = some.map(({ interactionId, transfer: { amount, ...transfer } }) => {
            const sent = { ...transfer, amount: { amountMinor: amount.minor, currency: amount.currency } };
            const groups = [{ transfers: [{ ...sent, mode: "TRANSFER_MODE_POSTED" as const }] }];
            return { interactionId, request: { groups, createdBy: "wallet" } };
          });
          const answers = await ledger.batch("postTransfers", postings, call());
          const isRefused = (answer: (typeof answers)[number]) => answer.response?.results[0]?.posted === undefined;
          if (answers.some(isRefused)) throw new Error(`refused: ${JSON.stringify(answers.find(isRefused))}`);
          progress(what, Math.min(count, from + postingsAtOnce), count);
        }
      };
      await Promise.all(Array.from({ length: callsAtOnce }, poster));
    },
  };
}
