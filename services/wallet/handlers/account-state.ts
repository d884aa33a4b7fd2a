import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import { outgoing, outgoingUnnamed } from "../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { passing, Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import {
  freezersAfter,
  freezersOf,
  refusalByStatus,
  staffFreeze,
  type AccountChange,
  type WalletAccount,
} from "../domain/account.js";
import { setFreezers as writeFreezers } from "../sagas/freezing.js";
import { accountToWire, balanceOf } from "../wire/accounts.js";
import type { WalletDeps } from "./deps.js";
import { findOpenedAccount } from "./find-account.js";

/** Freezing, releasing and closing one account. */
export function accountStateHandlers(deps: WalletDeps) {
  return {
    /**
     * Refuses ACCOUNT_NOT_FOUND, ACCOUNT_CLOSED, and STATE_CONFLICT to release what a
     * block of compliance keeps frozen.
     */
    async setWalletAccountFrozen(request, call) {
      const reason = reasonFromWire(request.reason);
      const account = await find(deps, request.accountId, call);
      if (account.status === "CLOSED") throw refusalByStatus(account);
      const freezers = freezersAfter(account, staffFreeze, request.frozen);
      if (!request.frozen && (freezers ?? freezersOf(account)).length > 0) {
        // By whom else is told to nobody here.
        throw new Refusal("STATE_CONFLICT", "the account stays frozen");
      }
      if (freezers !== undefined) await setFreezers(deps, account, freezers, reason, call);
      return shown(deps, request.accountId, call);
    },

    /**
     * Closes the ledger's account first, which must be empty and hold nothing: no money moves from
     * then on, and a next call finishes what a process that died here has begun. Refuses
     * ACCOUNT_NOT_FOUND, FORBIDDEN, ACCOUNT_FROZEN, ACCOUNT_NOT_EMPTY.
     */
    async closeWalletAccount(request, call) {
      const reason = reasonFromWire(request.reason, "reason", { mayBeEmpty: true });
      const { role, customerId } = requireUser(call);
      const account = await find(deps, request.accountId, call);
      if (role === "CUSTOMER" && account.customerId !== customerId) {
        throw new Refusal("FORBIDDEN", "the account is another customer's");
      }
      if (account.status === "FROZEN") throw refusalByStatus(account);
      if (account.status !== "CLOSED") {
        await deps.ledger.closeAccount({ accountId: account.accountId }, outgoing(call));
        await change(deps, account, { to: "CLOSED", reason }, call);
      }
      return shown(deps, request.accountId, call);
    },
  } satisfies Partial<Handlers<WalletServiceDefinition>>;
}

async function find(deps: WalletDeps, accountId: string, call: Call): Promise<WalletAccount> {
  return findOpenedAccount(deps, textFromWire(accountId, "accountId"), call);
}

async function change(
  { store, clock }: WalletDeps,
  { accountId, status }: WalletAccount,
  what: Pick<AccountChange, "to" | "reason">,
  call: Call,
): Promise<void> {
  const wallet = store.forTenant(call.tenantId);
  const made = { ...what, at: clock.now(), by: requireUser(call).userId };
  if (await wallet.changeAccount(accountId, status, made)) return;
  // An earlier try, whose answer was lost, may have changed it meanwhile.
  if ((await wallet.findAccount(accountId))?.status === what.to) return;
  throw passing("STATE_CONFLICT", "the account has just been changed by somebody else");
}

async function setFreezers(
  { store, outbox, clock }: WalletDeps,
  account: WalletAccount,
  freezers: readonly string[],
  reason: string,
  call: Call,
): Promise<void> {
  const { tenantId, interactionId } = call;
  const wallet = store.forTenant(tenantId);
  const to = freezers.length > 0 ? ("FROZEN" as const) : ("ACTIVE" as const);
  const made = { to, reason, at: clock.now(), by: requireUser(call).userId };
  const cause = { tenantId, interactionId, actor: made.by };
  if (await writeFreezers({ store, outbox }, cause, account, freezers, made)) return;
  // An earlier try, whose answer was lost, may have changed it meanwhile.
  const now = await wallet.findAccount(account.accountId);
  if (now !== undefined && freezersAfter(now, staffFreeze, freezers.includes(staffFreeze)) === undefined) return;
  throw passing("STATE_CONFLICT", "the account has just been changed by somebody else");
}

async function shown(deps: WalletDeps, accountId: string, call: Call) {
  const account = await find(deps, accountId, call);
  const { accounts } = await deps.ledger.getAccounts({ accountIds: [accountId] }, outgoingUnnamed(call));
  const [known] = accounts;
  if (known === undefined) throw new Error(`the ledger does not know wallet account ${accountId}`);
  return { account: accountToWire(account, balanceOf(known)) };
}
