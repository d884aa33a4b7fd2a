import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import {
  CreateTransactionRequest,
  CreateTransactionResponse,
  type RemittanceServiceDefinition,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import type { Ticket } from "../../kernel/idempotency/index.js";
import { keepingRefusals, runSaga } from "../../kernel/sagas/index.js";
import { newTransactionCode } from "../domain/codes.js";
import { createOperation } from "../sagas/creation.js";
import { idFromWire } from "../../kernel/text/wire-text.js";
import { prepareOrder, type Prepared } from "./prepare-order.js";
import { promisedDay } from "../domain/promised-day.js";
import { assertNotUsedUp } from "../domain/promotion.js";
import { quoteUsed } from "../domain/quote-expiry.js";
import type { Session, TenantStore } from "../store/index.js";
import { searchWordsOf } from "../domain/transaction-list.js";
import type { Transaction } from "../domain/transaction.js";
import { payeeVerdictToWire } from "../wire/payee-checks.js";
import { orderFromWire, transactionToWire, type Order } from "../wire/transactions.js";
import type { RemittanceDeps } from "./deps.js";
import { asSeenBy } from "./as-seen-by.js";
import { findByIdOrCode } from "./find-transaction.js";

export function transactionHandlers(deps: RemittanceDeps) {
  const { store, people, idempotency, creation, clock, times } = deps;

  /** Stores the transaction with what its price takes: its quote, and a use of its promotion. */
  async function begin(order: Order, ticket: Ticket, call: Call): Promise<Transaction> {
    const prepared = await prepareOrder(order, call, deps);
    const { timeZone } = await times.forTenant(call.tenantId, call.interactionId);
    const transaction = newTransaction(order, prepared, ticket, call, timeZone);
    await creation.begin(call.tenantId, transaction, ticket, (session) =>
      takeOffer(store.forTenant(call.tenantId), transaction, session),
    );
    return transaction;
  }

  function newTransaction(order: Order, prepared: Prepared, ticket: Ticket, call: Call, timeZone: string): Transaction {
    const { deliveryMethod, processingMode, transferInformation, descriptionText, ipAddress } = order;
    const { userId, role } = requireUser(call);
    const now = clock.now();
    const transactionId = uuidv7();
    const transactionCode = newTransactionCode(randomBytes);
    return {
      ...prepared,
      transactionId,
      transactionCode,
      searchWords: searchWordsOf({ ...prepared, transactionId, transactionCode }),
      version: 1,
      status: "AWAITING_COMPLIANCE",
      deliveryMethod,
      processingMode,
      transferInformation,
      descriptionText,
      ...(order.dynamicFields !== undefined && { dynamicFields: order.dynamicFields }),
      ...(order.eligibleDocuments !== undefined && { eligibleDocuments: order.eligibleDocuments }),
      ipAddress,
      releasedPayments: [],
      interactionId: call.interactionId,
      createdAt: now,
      availableOn: promisedDay({ ...prepared, transferInformation, createdAt: now }, timeZone, creation.payableForMs),
      createdBy: userId,
      createdByRole: role,
      timeline: [{ status: "AWAITING_COMPLIANCE", at: now, actor: userId, reason: "" }],
      request: { caller: userId, key: order.idempotencyKey, fingerprint: ticket.fingerprint },
    };
  }

  return {
    async createTransaction(request, call) {
      const order = orderFromWire(request);
      return runSaga({
        idempotency,
        sagas: creation,
        operation: createOperation,
        request,
        requestType: CreateTransactionRequest,
        // A retry may come from another address, and with the right password this time.
        omit: ["password", "ipAddress"],
        response: CreateTransactionResponse,
        call,
        start: (ticket) =>
          keepingRefusals(async () => {
            const begun = await begin(order, ticket, call);
            return { drive: () => creation.drive(begun.transactionId, call, begun) };
          }),
        resume: (transactionId) => creation.drive(transactionId, call),
      });
    },

    async getTransaction(request, call) {
      const transactionId = idFromWire(request.transactionId, "transactionId");
      const transaction = await findByIdOrCode(store.forTenant(call.tenantId), transactionId);
      await people.assertMaySee(transaction, call);
      const { payeeCheck } = transaction;
      const shown = transactionToWire(asSeenBy(call, transaction), true);
      return { transaction: { ...shown, ...(payeeCheck && { payeeCheck: payeeVerdictToWire(payeeCheck) }) } };
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}

/** Refuses QUOTE_USED, PROMO_CODE_INVALID where somebody else was faster. */
async function takeOffer(
  tenant: TenantStore,
  { transactionId, quoteId, terms, sender }: Transaction,
  session: Session,
): Promise<void> {
  if (quoteId !== undefined && !(await tenant.useQuote(quoteId, transactionId, session))) throw quoteUsed();
  const code = terms.promoCode;
  if (code === undefined) return;
  const { customerId } = sender;
  const promotion = await tenant.promotions.find({ code }, session);
  assertNotUsedUp(promotion, await tenant.promotionUse(code, customerId, session));
  await tenant.countPromotion(code, customerId, session);
}
