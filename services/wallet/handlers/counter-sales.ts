import { v7 as uuidv7 } from "uuid";
import {
  SellTransactionRequest,
  SellTransactionResponse,
  type CounterServiceDefinition,
} from "../../../proto/gen/wallet/v1/counter.js";
import { createKeyedMutex, type KeyedMutex } from "../../kernel/batching/keyed-mutex.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import type { Ticket } from "../../kernel/idempotency/index.js";
import type { FindSaleResponse } from "../../../proto/gen/remittance/v1/counter.js";
import { formatMoney, moneyFromWire, parseMoney, type Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { deadlineOf, keepingRefusals, originOf, runSaga, type Started } from "../../kernel/sagas/index.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { agentDayPart, assertActive, refusedToAgent, type SoldByAgent } from "../domain/agent-sale.js";
import { accountOfTill, refusedAsReceived } from "../domain/counter-sale.js";
import { checkPositive, type Payment } from "../domain/payment.js";
import { notOpen, type Till } from "../domain/till.js";
import type { SaleCommission } from "../domain/sale-commission.js";
import type { DayPart } from "../domain/wallet-daily-limit.js";
import { sellTransactionOperation } from "../sagas/payment-identity.js";
import { cashRuleFor, ownTill } from "./cash.js";
import type { WalletDeps } from "./deps.js";
import { assertManagedByAgent, assertSells } from "./managed-customers.js";
import { countCommission } from "./sale-commission.js";

/** Transactions that are sold for cash at a till. */
export function counterSaleHandlers(deps: WalletDeps) {
  const { idempotency, sagas, payments, store } = deps;
  // Of two at once the second finds the transaction paid, and begins nothing.
  const turns = createKeyedMutex();
  return {
    /**
     * In this order: role, till, input, replay by key, the till's state, the transaction, what was
     * received, the sender's status, then the saga of a payment, whose refusals are remittance's. A
     * transaction that a colleague made is sold as one's own.
     */
    async sellTransaction(given, call) {
      await assertSells(deps, call);
      const till = await ownTill(store, given.tillId, call);
      const transactionId = textFromWire(given.transactionId, "transactionId");
      const received = parseMoney(given.received, till.currency, "received");
      checkPositive(received);
      // So that 110 and 110.00 are one request.
      const request = { ...given, received: formatMoney(received) };
      return runSaga<SellTransactionRequest, SellTransactionResponse>({
        idempotency,
        sagas,
        operation: sellTransactionOperation,
        request,
        requestType: SellTransactionRequest,
        response: SellTransactionResponse,
        call,
        start: (ticket) => start(deps, { till, transactionId, received, turns }, call, ticket),
        resume: (paymentId) => payments.driveById(call.tenantId, paymentId, deadlineOf(call)),
      });
    },
  } satisfies Partial<Handlers<CounterServiceDefinition>>;
}

interface WantedSale {
  readonly till: Till;
  readonly transactionId: string;
  readonly received: Money;
  readonly turns: KeyedMutex;
}

/** Driven within its turn: whoever comes next reads of remittance what became of it. */
function start(deps: WalletDeps, wanted: WantedSale, call: Call, ticket: Ticket): Promise<Started> {
  const { payments } = deps;
  const { tenantId } = call;
  return wanted.turns.runExclusive(`${tenantId} ${wanted.transactionId}`, () =>
    keepingRefusals(async () => {
      call.signal.throwIfAborted();
      const decided = await decide(deps, wanted, call, ticket);
      if (decided instanceof Refusal) return { refusal: decided };
      // May refuse: the till was closed meanwhile, or has no room for so much.
      await payments.begin(tenantId, decided, ticket);
      const driven = payments.drive(tenantId, decided, { ...deadlineOf(call), isFirst: true });
      await driven.catch(() => undefined);
      return { drive: () => driven };
    }),
  );
}

/** The payment that is to begin, or a refusal that is kept. Throws the request's own faults. */
async function decide(
  deps: WalletDeps,
  { till, transactionId, received }: WantedSale,
  call: Call,
  ticket: Ticket,
): Promise<Payment | Refusal> {
  if (till.status !== "OPEN") return notOpen(till.status);
  const found = await deps.remittance.findSale({ transactionId }, outgoing(call));
  const { customerId, transactionCode } = found;
  const total = moneyFromWire(found.total, "total");
  if (total.currency !== till.currency) {
    return new Refusal("CURRENCY_MISMATCH", `the till holds ${till.currency}, ${total.currency} is due`);
  }
  const tooLittle = refusedAsReceived(total, received);
  if (tooLittle !== undefined) return tooLittle;
  await deps.ceilings.check(call, total);
  const byAgent = await ofAgent(deps, { total, corridor: found.corridor, method: found.method }, found, call);
  if (byAgent instanceof Refusal) return byAgent;
  await assertManagedByAgent(deps, customerId, call);
  const { refusal } = await deps.moves.ask({ customerId, kind: "TRANSACTION" }, call);
  if (refusal !== undefined) return refusal;
  const { tillMinor: tillMaxMinor } = await cashRuleFor(deps, till, call);
  const { tillId, role } = till;
  const paymentId = uuidv7();
  return {
    paymentId,
    customerId,
    accountId: "",
    accountNumber: "",
    sale: {
      tillId,
      cashierId: requireUser(call).userId,
      ...(role !== undefined && { role }),
      tillAccountId: accountOfTill(till),
      tillMaxMinor,
      receivedMinor: received.minor,
      transactionCode,
      ...byAgent,
    },
    payableType: "TRANSACTION",
    payableId: found.transactionId,
    total,
    funding: "CASH",
    // Nobody else's: the sender has none of theirs for it.
    paymentGatewayRef: `sale:${paymentId}`,
    fingerprint: ticket.fingerprint,
    createdAt: deps.clock.now(),
    ...originOf(call, ticket.scope.caller, ticket.scope.key),
  };
}

/**
 * What it takes of an agent's day and what it earns them, or why they may not sell it. Throws
 * AGENT_SUSPENDED.
 */
async function ofAgent(
  deps: WalletDeps,
  sold: SoldByAgent,
  found: FindSaleResponse,
  call: Call,
): Promise<{ agentDay?: DayPart; commission?: SaleCommission } | Refusal | undefined> {
  const { tenantId, interactionId } = call;
  const { role, userId } = requireUser(call);
  if (role !== "AGENT") return undefined;
  const wallet = deps.store.forTenant(tenantId);
  const agent = await wallet.findAgent(userId);
  assertActive(agent);
  const refusal = refusedToAgent(agent, sold);
  if (refusal !== undefined) return refusal;
  const day = (await deps.businessClock.forTenant(tenantId, interactionId)).today().toString();
  const part = agentDayPart(agent, sold.total, day);
  if (part !== undefined) await wallet.openDay(part.accountId, day);
  const commission = await countCommission(wallet, agent, found, sold.total.currency);
  return { ...(part !== undefined && { agentDay: part }), ...(commission !== undefined && { commission }) };
}
