import type { Outbox } from "../../kernel/outbox/index.js";
import { beyondAccount, isLow } from "../domain/agent-balance.js";
import type { AgentAndCurrency } from "../domain/agent-accounts.js";
import type { NewAgentLine } from "../domain/agent-line.js";
import type { Money } from "../../kernel/money.js";
import type { Session } from "../store/collections.js";
import type { TenantStore, WalletStore } from "../store/index.js";
import { floatEventRow, type Cause } from "../wire/event-rows.js";

/**
 * So much is taken from what the agent may spend, until it is booked or given back. Refuses
 * AGENT_LIMIT.
 */
export async function takeOfAgent(
  wallet: TenantStore,
  agentId: string,
  asked: Money,
  lineMinor: bigint,
  session: Session,
): Promise<void> {
  const of = { agentId, currency: asked.currency };
  if (await wallet.takeOfAgent(of, asked.minor, lineMinor, session)) return;
  const { freeMinor } = await wallet.findAgentBalance(of, session);
  throw beyondAccount(freeMinor + lineMinor, asked);
}

export interface AgentLineDeps {
  readonly store: Pick<WalletStore, "forTenant">;
  readonly outbox: Pick<Outbox, "add">;
}

/** Keeps what was booked, and tells once that little is left of what may be used. */
export async function noteAgentLines(
  { store, outbox }: AgentLineDeps,
  cause: Cause,
  lines: readonly NewAgentLine[],
  session: Session,
): Promise<void> {
  const wallet = store.forTenant(cause.tenantId);
  await wallet.insertAgentLines(lines, session);
  for (const { account, agentId, currency, at } of lines) {
    if (account === "ACCOUNT") await lookAtFloat(wallet, outbox, { cause, of: { agentId, currency }, at }, session);
  }
}

async function lookAtFloat(
  wallet: TenantStore,
  outbox: Pick<Outbox, "add">,
  { cause, of, at }: { cause: Cause; of: AgentAndCurrency; at: Date },
  session: Session,
): Promise<void> {
  const agent = await wallet.findAgent(of.agentId, session);
  const balance = await wallet.findAgentBalance(of, session);
  const low = isLow(balance, agent);
  if (low === (balance.isLow === true)) return;
  await wallet.markLow(of, low, session);
  if (low) await outbox.add(floatEventRow(cause, balance, agent, at), session);
}
