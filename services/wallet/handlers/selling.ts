import { v7 as uuidv7 } from "uuid";
import type { FindSaleResponse } from "../../../proto/gen/remittance/v1/counter.js";
import { createKeyedMutex } from "../../kernel/batching/keyed-mutex.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Ticket } from "../../kernel/idempotency/index.js";
import { moneyFromWire, parseMoney, type Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { deadlineOf, keepingRefusals, originOf, type Started } from "../../kernel/sagas/index.js";
import { agentAccount } from "../domain/agent-accounts.js";
import { creditLineMinorOf } from "../domain/agent-balance.js";
import type { AgentConfiguration } from "../domain/agent.js";
import { agentDayPart, assertActive, refusedByMode, refusedToAgent } from "../domain/agent-sale.js";
import { accountOfTill, refusedAsReceived } from "../domain/counter-sale.js";
import { checkPositive, type Payment } from "../domain/payment.js";
import { notOpen, type Till } from "../domain/till.js";
import type { SaleCommission } from "../domain/sale-commission.js";
import type { DayPart } from "../domain/wallet-daily-limit.js";
import { cashRuleFor, movedAs } from "./cash.js";
import type { WalletDeps } from "./deps.js";
import { assertManagedByAgent } from "./managed-customers.js";
import { countCommission } from "./sale-commission.js";

interface WantedSale {
  /** Takes the cash; the calling agent does, out of whose account it is paid, where absent. */
  readonly till?: Till;
  readonly transactionId: string;
  /** Decimal text. */
  readonly received: string;
}

/** Begins sales: of two of one transaction at once the second finds it paid, and begins nothing. */
export function createSelling(deps: WalletDeps) {
  const { payments } = deps;
  const turns = createKeyedMutex();
  /** Driven within its turn: whoever comes next reads of remittance what became of it. */
  return (wanted: WantedSale, call: Call, ticket: Ticket): Promise<Started> => {
    const { tenantId } = call;
    return turns.runExclusive(`${tenantId} ${wanted.transactionId}`, () =>
      keepingRefusals(async () => {
        call.signal.throwIfAborted();
        const decided = await decide(deps, wanted, call, ticket);
        if (decided instanceof Refusal) return { refusal: decided };
        // May refuse: the till was closed meanwhile, or has no room for so much; the account was
        // used up.
        await payments.begin(tenantId, decided, ticket);
        const driven = payments.drive(tenantId, decided, { ...deadlineOf(call), isFirst: true });
        await driven.catch(() => undefined);
        return { drive: () => driven };
      }),
    );
  };
}

/** The payment that is to begin, or a refusal that is kept. Throws the request's own faults. */
async function decide(
  deps: WalletDeps,
  { till, transactionId, received: given }: WantedSale,
  call: Call,
  ticket: Ticket,
): Promise<Payment | Refusal> {
  if (till !== undefined && till.status !== "OPEN") return notOpen(till.status);
  const found = await deps.remittance.findSale({ transactionId }, outgoing(call));
  const { customerId, transactionCode } = found;
  const total = moneyFromWire(found.total, "total");
  if (till !== undefined && total.currency !== till.currency) {
    return new Refusal("CURRENCY_MISMATCH", `the till holds ${till.currency}, ${total.currency} is due`);
  }
  const received = parseMoney(given, total.currency, "received");
  checkPositive(received);
  const tooLittle = refusedAsReceived(total, received);
  if (tooLittle !== undefined) return tooLittle;
  await deps.ceilings.check(call, total);
  const byAgent = await ofAgent(deps, found, total, till !== undefined, call);
  if (byAgent instanceof Refusal) return byAgent;
  await assertManagedByAgent(deps, customerId, call);
  const { refusal } = await deps.moves.ask({ customerId, kind: "TRANSACTION" }, call);
  if (refusal !== undefined) return refusal;
  const { agent, ...ofSale } = byAgent;
  const paymentId = uuidv7();
  return {
    paymentId,
    customerId,
    accountId: "",
    accountNumber: "",
    sale: {
      ...(await takenBy(deps, till, agent, total, call)),
      receivedMinor: received.minor,
      transactionCode,
      ...ofSale,
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

/** Who takes the cash, and what is debited for it. */
async function takenBy(
  deps: WalletDeps,
  till: Till | undefined,
  agent: AgentConfiguration | undefined,
  { currency }: Money,
  call: Call,
) {
  const cashierId = requireUser(call).userId;
  if (till === undefined) {
    const of = { agentId: cashierId, currency };
    await deps.store.forTenant(call.tenantId).openAgentBalance(of);
    const debitAccountId = agentAccount("ACCOUNT", of).accountId;
    return { cashierId, role: "AGENT" as const, debitAccountId, lineMinor: creditLineMinorOf(agent, currency) };
  }
  const { tillMinor: tillMaxMinor } = await cashRuleFor(deps, till, call);
  const { tillId } = till;
  const { createdByRole: role } = movedAs(call);
  return { cashierId, ...(role !== undefined && { role }), tillId, debitAccountId: accountOfTill(till), tillMaxMinor };
}

interface ByAgent {
  readonly agent?: AgentConfiguration;
  /** Held to when it begins; absent where no agent sells. */
  readonly agentVersion?: number;
  /** What it takes of their day. */
  readonly agentDay?: DayPart;
  /** What it earns them. */
  readonly commission?: SaleCommission;
}

/** What is set of the agent who sells, or why they may not. Throws AGENT_SUSPENDED. */
async function ofAgent(
  deps: WalletDeps,
  found: FindSaleResponse,
  total: Money,
  isAtTill: boolean,
  call: Call,
): Promise<ByAgent | Refusal> {
  const { tenantId, interactionId } = call;
  const { role, userId } = requireUser(call);
  if (role !== "AGENT") return {};
  const wallet = deps.store.forTenant(tenantId);
  const agent = await wallet.findAgent(userId);
  assertActive(agent);
  const { corridor, method } = found;
  const refusal = refusedByMode(agent, isAtTill) ?? refusedToAgent(agent, { total, corridor, method });
  if (refusal !== undefined) return refusal;
  const day = (await deps.businessClock.forTenant(tenantId, interactionId)).today().toString();
  const agentDay = agentDayPart(agent, total, day);
  if (agentDay !== undefined) await wallet.openDay(agentDay.accountId, day);
  const commission = await countCommission(wallet, agent, found, total.currency);
  return {
    agentVersion: agent?.version ?? 0,
    ...(agent !== undefined && { agent }),
    ...(agentDay !== undefined && { agentDay }),
    ...(commission !== undefined && { commission }),
  };
}
