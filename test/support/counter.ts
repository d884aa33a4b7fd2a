import { randomUUID } from "node:crypto";
import { PostTransfersRequest } from "../../proto/gen/ledger/v1/ledger.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import type { Call, Role } from "../../services/kernel/grpc/context.js";
import type { StandInTransaction } from "./stand-in-remittance.js";
import type { Person, WalletFixture } from "./wallet-fixture.js";

export const passport = { type: "PASSPORT", number: "A 012-34567" };

/**
 * A cashier with an open till of 200.00 USD, and a sender without a wallet whose transfer costs
 * 102.69.
 */
export async function createCounter(
  wallet: WalletFixture,
  options: { float?: string; role?: Role; transaction?: Partial<StandInTransaction> } = {},
) {
  const sender = wallet.person();
  const { tenantId, customerId } = sender;
  const { id: transactionId, transaction } = wallet.transaction(sender, options.transaction);
  const till = async (currency = "USD", float = options.float ?? "200") => {
    const by = wallet.person(tenantId, options.role ?? "CASHIER");
    const opened = await wallet.gateway.openTill({ idempotencyKey: randomUUID(), currency, float }, wallet.calls(by));
    return { by, tillId: opened.till?.tillId ?? "" };
  };
  type AtTill = Awaited<ReturnType<typeof till>>;
  const own = await till();
  const stored = (name: string, filter: object = {}) =>
    wallet.database.db
      .collection(name)
      .find({ tenantId, ...filter })
      .toArray();

  return {
    sender,
    tenantId,
    customerId,
    transactionId,
    transaction,
    own,
    till,
    stored,
    sell: (received = "102.69", at: AtTill = own, idempotencyKey: string = randomUUID(), id = transactionId) =>
      wallet.gateway.sellTransaction(
        { idempotencyKey, tillId: at.tillId, transactionId: id, received },
        wallet.calls(at.by),
      ),
    /** As the ledger has it: cash is an asset. */
    inTill: ({ by }: AtTill = own) => -wallet.ledger.balance(tenantId, `cash_till:${by.userId}:USD`),
    ofLedger: (accountId: string) => wallet.ledger.balance(tenantId, accountId),
    async tillNow({ by, tillId }: AtTill = own) {
      const { lines } = await wallet.gateway.listTillLines({ tillId }, wallet.calls(by));
      const [shown] = await stored("tills", { _id: tillId });
      return { expectedMinor: shown?.["expectedMinor"], moving: Number(shown?.["moving"]), lines };
    },
    /** As remittance does when all of a sale, or a part of it, came back. */
    async comesBack(refundedMinor: bigint, isPart = false, creditedMinor = refundedMinor) {
      const { paymentId = "" } = transaction;
      const call = { tenantId, interactionId: "way-back" } as Call;
      const transfer = {
        key: `refund:${transactionId}:${refundedMinor}`,
        debitAccountId: "remittance_clearing:USD",
        creditAccountId: "counter_payable:USD",
        amount: { amountMinor: creditedMinor, currency: "USD" },
        kind: "refund",
        description: "Refund",
        mode: "TRANSFER_MODE_POSTED" as const,
      };
      const posted = PostTransfersRequest.fromPartial({ groups: [{ transfers: [transfer] }], createdBy: "remittance" });
      await wallet.ledger.handlers.postTransfers!(posted, call);
      const refunded = { amountMinor: refundedMinor, currency: "USD" };
      await wallet
        .clientOf("remittance")
        .markPaymentRefunded({ paymentId, transactionId, refunded, refundedAt: new Date(), isPart }, outgoing(call));
    },
    payables: async (by: Person = own.by, filter: object = {}) =>
      (await wallet.gateway.listCounterPayables(filter, wallet.calls(by))).payables,
    /** Of the sender, since whoever issued it does not pay. */
    code: async (payableId: string, by: Person = sender) =>
      (await wallet.gateway.issueCounterPayableCode({ payableId }, wallet.calls(by))).code,
    pay: (payableId: string, code: string, at: AtTill = own, more: { key?: string; document?: typeof passport } = {}) =>
      wallet.gateway.payCounterPayable(
        {
          idempotencyKey: more.key ?? randomUUID(),
          tillId: at.tillId,
          payableId,
          code,
          document: more.document ?? passport,
        },
        wallet.calls(at.by),
      ),
  };
}
