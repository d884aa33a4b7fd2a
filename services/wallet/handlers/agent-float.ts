import type { AgentAccountServiceDefinition } from "../../../proto/gen/wallet/v1/agent_accounts.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { outgoing } from "../../kernel/grpc/client.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { formatMoney, parseMoney } from "../../kernel/money.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { idFromWire, textFromWire } from "../../kernel/text/wire-text.js";
import { assertConfigured, worksIn, type AgentConfiguration } from "../domain/agent.js";
import { agentAccount, type AgentAndCurrency } from "../domain/agent-accounts.js";
import { beyondAccount, creditLineMinorOf, noBalance, usedMinorOf } from "../domain/agent-balance.js";
import { floatDirections, type FloatDirection } from "../domain/agent-float.js";
import { checkPositive } from "../domain/payment.js";
import { ownAgent } from "./agent-requests.js";
import type { WalletDeps } from "./deps.js";
import { namedBank } from "./named-bank.js";
import { approvalKeyOf } from "../../platform/approvals/request-id.js";

/** What agents of mode ACCOUNT have, and how money comes to them and goes back. */
export function agentFloatHandlers(deps: WalletDeps) {
  const { store, ledger, approvals } = deps;

  /** In the ledger; nothing where nothing was booked. */
  async function bookedOf(of: "UNSETTLED" | "COMMISSION", ofAgent: readonly AgentAndCurrency[], call: Call) {
    if (ofAgent.length === 0) return [];
    const accountIds = ofAgent.map((one) => agentAccount(of, one).accountId);
    const { accounts } = await ledger.getAccounts({ accountIds }, outgoing(call));
    const byId = new Map(accounts.map((one) => [one.accountId, one.creditsPostedMinor - one.debitsPostedMinor]));
    return accountIds.map((id) => byId.get(id) ?? 0n);
  }

  return {
    async getAgentAccounts(request, call) {
      const agentId = ownAgent(request.agentId, call);
      const wallet = store.forTenant(call.tenantId);
      const [agent, balances] = [await wallet.findAgent(agentId), await wallet.agentBalances(agentId)];
      const sold = (agent?.terms ?? []).map(({ currency }) => currency);
      const currencies = [...new Set([...sold, ...balances.map(({ currency }) => currency)])].toSorted();
      const all = currencies.map((currency) => ({ agentId, currency }));
      const [unsettled, commission] = [await bookedOf("UNSETTLED", all, call), await bookedOf("COMMISSION", all, call)];
      const accounts = all.map((of, at) => {
        const balance = balances.find(({ currency }) => currency === of.currency) ?? noBalance(of);
        const { bookedMinor, freeMinor } = balance;
        const creditLineMinor = creditLineMinorOf(agent, of.currency);
        return {
          currency: of.currency,
          balanceMinor: bookedMinor,
          reservedMinor: bookedMinor - freeMinor,
          creditLineMinor,
          availableMinor: freeMinor + creditLineMinor,
          usedMinor: usedMinorOf(balance),
          unsettledMinor: unsettled[at] ?? 0n,
          commissionMinor: commission[at] ?? 0n,
          low: balance.isLow === true,
        };
      });
      return { accounts };
    },

    async moveAgentFloat(request, call) {
      const key = textFromWire(request.idempotencyKey, "idempotencyKey", { maximum: 255 });
      const agentId = idFromWire(request.agentId, "agentId");
      const direction = directionFromWire(request.direction);
      const { currency } = request;
      assertCurrency(currency, "currency");
      const amount = parseMoney(request.amount, currency, "amount");
      checkPositive(amount);
      const reference = textFromWire(request.reference, "reference");
      await deps.ceilings.check(call, amount);
      const bank = textFromWire(request.bank, "bank", { minimum: 0 });
      const at = await namedBank(deps.banks, bank, call);
      const wallet = store.forTenant(call.tenantId);
      const agent = assertHasAccount(await wallet.findAgent(agentId), currency, direction);
      const of = { agentId: agent.agentId, currency };
      await wallet.openAgentBalance(of);
      const { freeMinor } = await wallet.findAgentBalance(of);
      // The credit line is nobody's to take out.
      if (direction === "TAKE_BACK" && freeMinor < amount.minor) throw beyondAccount(freeMinor, amount);
      const approval = await approvals.ask(call, {
        idempotencyKey: approvalKeyOf("agent-float", key, call),
        kind: "AGENT_FLOAT",
        subject: `agent:${agentId}`,
        concernedUserId: agentId,
        summary: `${formatMoney(amount)} ${currency} ${direction === "TOP_UP" ? "from the bank for" : "to the bank from"} the agent ${agentId}`,
        amount,
        reason: reference,
        payload: { agentId, direction, currency, minor: String(amount.minor), reference, ...(at && { at }) },
      });
      return { approvalId: approval.approvalId, approvalStatus: approval.status };
    },
  } satisfies Partial<Handlers<AgentAccountServiceDefinition>>;
}

function directionFromWire(text: string): FloatDirection {
  const found = floatDirections.find((one) => one === text);
  if (found === undefined) throw invalidInput("direction", `must be ${floatDirections.join(" or ")}`);
  return found;
}

/**
 * What is prefunded is taken back whatever the agent is set to by now. Refuses NOT_FOUND, and
 * INVALID_INPUT for a currency that they do not sell in.
 */
function assertHasAccount(
  found: AgentConfiguration | undefined,
  currency: string,
  direction: FloatDirection,
): AgentConfiguration {
  const agent = assertConfigured(found);
  if (direction === "TAKE_BACK") return agent;
  if (agent.mode !== "ACCOUNT") throw new Refusal("STATE_CONFLICT", "the agent sells out of a till");
  if (!worksIn(agent, currency)) {
    throw invalidInput("currency", "is none that the agent sells in");
  }
  return agent;
}
