import type { CashInRequest, CashOutRequest } from "../../../proto/gen/wallet/v1/money_in.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { parseMoney, type Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { refusalByStatus, type WalletAccount } from "../domain/account.js";
import { cashRuleOf, dayPartsOfCashIn, refusedByCashLimits } from "../domain/cash-limit.js";
import type { DayPart } from "../domain/wallet-daily-limit.js";
import { checkPositive } from "../domain/payment.js";
import { notOpen, tillAccounts, transferOfCash, type Till } from "../domain/till.js";
import { limitOf } from "../domain/wallet-limit.js";
import type { WalletDeps } from "./deps.js";
import { findOpenedAccount } from "./find-account.js";
import { assertManagedByAgent } from "./managed-customers.js";

export const cashInOperation = "wallet.v1.CashIn";

export interface WantedCash {
  readonly till: Till;
  readonly account: WalletAccount;
  readonly amount: Money;
}

/**
 * Whether whoever moves cash is an agent now, whatever they were when they opened their till: what
 * holds for agents goes by that.
 */
export const movedAs = (call: Call): { createdByRole?: "AGENT" } =>
  requireUser(call).role === "AGENT" ? { createdByRole: "AGENT" } : {};

/** Cash between till and wallet, which changes what the till expects. */
export function cashMovement(
  movementId: string,
  { till, account, amount: { minor } }: WantedCash,
  isIn: boolean,
  call: Call,
) {
  return {
    kind: isIn ? ("CASH_IN" as const) : ("CASH_OUT" as const),
    accountId: account.accountId,
    customerId: account.customerId,
    ownAccounts: tillAccounts(till),
    transfers: [transferOfCash(till, movementId, account.accountId, minor, isIn)],
    subjectId: till.tillId,
    subjectMinor: isIn ? minor : -minor,
    ...movedAs(call),
  };
}

/**
 * Refuses NOT_FOUND and FORBIDDEN for the till, ACCOUNT_NOT_FOUND, CURRENCY_MISMATCH,
 * AMOUNT_NOT_POSITIVE, AMOUNT_ABOVE_CEILING.
 */
export async function cashOf(
  deps: WalletDeps,
  request: CashInRequest | CashOutRequest,
  call: Call,
): Promise<WantedCash> {
  const till = await ownTill(deps.store, request.tillId, call);
  const account = await findOpenedAccount(deps, textFromWire(request.accountId, "accountId"), call);
  const amount = parseMoney(request.amount, till.currency, "amount");
  checkPositive(amount);
  await deps.ceilings.check(call, amount);
  if (account.currency !== till.currency) {
    throw new Refusal("CURRENCY_MISMATCH", `the till holds ${till.currency}, the wallet ${account.currency}`);
  }
  return { till, account, amount };
}

/** The calling cashier's or agent's till. Refuses NOT_FOUND, FORBIDDEN. */
export async function ownTill(store: WalletDeps["store"], tillId: string, call: Call): Promise<Till> {
  const till = await store.forTenant(call.tenantId).findTill(textFromWire(tillId, "tillId"));
  if (till === undefined) throw new Refusal("NOT_FOUND", "no such till");
  const { userId } = requireUser(call);
  if (till.cashierId === userId) return till;
  const isElsewhere = till.branch !== (await store.forTenant(call.tenantId).branchOf(userId));
  throw new Refusal("FORBIDDEN", isElsewhere ? "this is a till of another branch" : "this is another person's till");
}

/** Any till for a MANAGER, their own for others. Refuses NOT_FOUND, FORBIDDEN. */
export async function readableTill(store: WalletDeps["store"], tillId: string, call: Call): Promise<Till> {
  if (requireUser(call).role !== "MANAGER") return ownTill(store, tillId, call);
  const till = await store.forTenant(call.tenantId).findTill(textFromWire(tillId, "tillId"));
  if (till === undefined) throw new Refusal("NOT_FOUND", "no such till");
  return till;
}

/** Whether the caller counts before they see what should be in their till, as the tenant has it. */
export async function isBlindTo({ identity }: Pick<WalletDeps, "identity">, call: Call): Promise<boolean> {
  if (requireUser(call).role === "MANAGER") return false;
  const { tenant } = await identity.getOrganisationPreference({}, outgoing(call));
  return tenant?.preference?.blindTillCounts === true;
}

export interface TakenByCashIn {
  readonly parts: readonly DayPart[];
  readonly tillMinor: bigint;
  /** The business day that they are of. */
  readonly day: string;
  /** The customer may not have it yet. */
  readonly isHeld: boolean;
}

/**
 * What it takes of the limits, and whether the customer may have it; or why it may not come in as
 * things are. Throws FORBIDDEN for a customer whom the calling agent does not manage.
 */
export async function decideCashIn(
  deps: WalletDeps,
  { till, account, amount }: WantedCash,
  call: Call,
): Promise<TakenByCashIn | Refusal> {
  await assertManagedByAgent(deps, account.customerId, call);
  if (till.status !== "OPEN") return notOpen(till.status);
  // A frozen wallet takes money in.
  if (account.status === "CLOSED") return refusalByStatus(account) as Refusal;
  const wallet = deps.store.forTenant(call.tenantId);
  const { accountId, currency, customerId } = account;
  const rule = await cashRuleFor(deps, till, call);
  const ofWallet = limitOf(await wallet.limitsFor(accountId, currency), accountId);
  const tooMuch = refusedByCashLimits(rule, ofWallet, till, amount);
  if (tooMuch !== undefined) return tooMuch;
  const { refusal, isHeld } = await deps.moves.ask({ customerId, kind: "CASH_IN" }, call);
  if (refusal !== undefined) return refusal;
  const day = (await deps.businessClock.forTenant(call.tenantId, call.interactionId)).today().toString();
  const parts = dayPartsOfCashIn({ cashierId: till.cashierId, accountId, day }, rule, ofWallet, amount);
  for (const part of parts) await wallet.openDay(part.accountId, day);
  return { parts, tillMinor: rule.tillMinor, day, isHeld };
}

/** The limits of the till's cashier. */
export async function cashRuleFor(
  { store }: WalletDeps,
  { cashierId, currency }: Pick<Till, "cashierId" | "currency">,
  { tenantId }: Call,
) {
  return cashRuleOf(await store.forTenant(tenantId).cashLimitsFor(cashierId, currency), cashierId);
}
