import type { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import type { Clock } from "../shared/clock.js";
import { requireUser, type Call, type ServiceName } from "../shared/grpc/context.js";
import type { Access, Handlers } from "../shared/grpc/server.js";
import { invalidInput, Refusal } from "../shared/refusal.js";
import { chartRow } from "./chart.js";
import { maxTransfersPerCall, type Account, type AccountInfo, type NewAccount, type Transfer } from "./model.js";
import type { createPosting } from "./posting.js";
import { isStoreAway, storeAway } from "./store/away.js";
import type { LedgerStore } from "./store/ledger-store.js";
import { accountToWire, entriesToWire, idFromWire } from "./wire.js";
import { newAccountFromWire, postingFromWire, storedTransferToWire } from "./wire.js";

const owners: ServiceName[] = ["wallet", "remittance"];
const readers: ServiceName[] = [...owners, "operator"];
const maxTransfersPerInteraction = 5_000;

/** Who may call what; what may be debited by whom is decided per account, by its code. */
export const ledgerAccess: Access<LedgerServiceDefinition> = {
  createAccounts: { callers: owners },
  getAccount: { callers: readers },
  getAccounts: { callers: readers },
  postTransfers: { callers: owners },
  postForwardedTransfers: { callers: ["ledger"] },
  getTransfer: { callers: readers },
  listEntriesByInteraction: { callers: [...readers, "gateway"], user: "optional" },
  getTrialBalance: { callers: readers },
};

export interface LedgerHandlersDeps {
  readonly store: LedgerStore;
  readonly posting: ReturnType<typeof createPosting>;
  readonly clock: Clock;
}

export function createLedgerHandlers(deps: LedgerHandlersDeps): Handlers<LedgerServiceDefinition> {
  const handlers = Object.entries(handlersOf(deps)).map(([rpc, handler]) => [
    rpc,
    (request: never, call: Call) => handler(request, call).catch(refuseWhenAway),
  ]);
  return Object.fromEntries(handlers) as Handlers<LedgerServiceDefinition>;
}

function refuseWhenAway(error: unknown): never {
  throw isStoreAway(error) ? storeAway(error) : error;
}

function handlersOf({ store, posting, clock }: LedgerHandlersDeps): Handlers<LedgerServiceDefinition> {
  return {
    async createAccounts({ accounts }, call) {
      checkCount(accounts.length, "accounts");
      const asked = accounts.map((account, index) => newAccountFromWire(account, `accounts[${index}]`));
      const createdAt = clock.now();
      const infos = asked.map((account, index) => accountInfo(account, call.caller, createdAt, `accounts[${index}]`));
      const stored = byId(await store.forTenant(call.tenantId).ensureAccounts(infos));
      for (const account of asked) {
        if (sameContent(stored.get(account.accountId)!.info, account)) continue;
        throw new Refusal("ALREADY_EXISTS", `account ${account.accountId} exists with other content`);
      }
      return { accounts: asked.map(({ accountId }) => accountToWire(stored.get(accountId)!)) };
    },

    async getAccount({ accountId }, call) {
      const [account] = await store.forTenant(call.tenantId).findAccounts([idFromWire(accountId, "account_id")]);
      if (account === undefined) throw new Refusal("ACCOUNT_NOT_FOUND", `no account ${accountId}`);
      return { account: accountToWire(account) };
    },

    async getAccounts({ accountIds }, call) {
      checkCount(accountIds.length, "account_ids");
      const wanted = new Set(accountIds.map((id, index) => idFromWire(id, `account_ids[${index}]`)));
      const found = byId(await store.forTenant(call.tenantId).findAccounts([...wanted]));
      return { accounts: [...wanted].flatMap((id) => found.get(id) ?? []).map(accountToWire) };
    },

    async postTransfers(request, call) {
      const asked = postingFromWire(request, call.caller, call.interactionId);
      return { results: await posting.post(asked, call) };
    },

    async postForwardedTransfers({ request, onBehalfOf }, call) {
      if (request === undefined) throw invalidInput("request", "is required");
      const service = owners.find((name) => name === onBehalfOf);
      if (service === undefined) throw new Refusal("CALLER_NOT_ALLOWED", `${onBehalfOf} may not post`);
      const asked = postingFromWire(request, service, call.interactionId);
      return { results: await posting.postForwarded(asked, call) };
    },

    async getTransfer({ key }, call) {
      const tenant = store.forTenant(call.tenantId);
      const transfer = (await tenant.findDecision(key))?.transfer;
      if (transfer === undefined) throw new Refusal("TRANSFER_NOT_FOUND", `no transfer ${key}`);
      const [accounts, pending] = await Promise.all([
        accountsOf([transfer], (ids) => tenant.findAccounts(ids)),
        transfer.mode === "PENDING" ? tenant.findPending(key) : undefined,
      ]);
      return { transfer: storedTransferToWire(transfer, accounts, pending) };
    },

    async listEntriesByInteraction({ interactionId, ownerId, createdBy }, call) {
      checkScope({ ownerId, createdBy }, call);
      const tenant = store.forTenant(call.tenantId);
      const found = await tenant.findByInteraction(
        idFromWire(interactionId, "interaction_id"),
        maxTransfersPerInteraction,
      );
      const transfers = found.filter((transfer) => createdBy === "" || transfer.createdBy === createdBy);
      const accounts = await accountsOf(transfers, (ids) => tenant.findAccounts(ids));
      const entries = transfers.flatMap((transfer) => entriesToWire(transfer, accounts));
      return { entries: entries.filter((entry) => ownerId === "" || entry.ownerId === ownerId) };
    },

    async getTrialBalance(_request, call) {
      const lines = await store.forTenant(call.tenantId).totals();
      return { lines: lines.map(({ type: _, ...line }) => line) };
    },
  };
}

/** Customers see entries of their own accounts, cashiers what they caused; the gateway never asks without a user. */
function checkScope({ ownerId, createdBy }: { ownerId: string; createdBy: string }, call: Call): void {
  const user = call.caller === "gateway" ? requireUser(call) : call.user;
  if (user === undefined || user.role === "MANAGER" || user.role === "AGENT") return;
  const isOwn =
    user.role === "CUSTOMER"
      ? user.customerId !== undefined && user.customerId !== "" && ownerId === user.customerId
      : createdBy === user.userId;
  if (!isOwn) throw new Refusal("FORBIDDEN", "entries of others are not shown to this role");
}

function accountInfo(account: NewAccount, caller: ServiceName, createdAt: Date, path: string): AccountInfo {
  const row = chartRow(account.code);
  if (row === undefined) throw invalidInput(`${path}.code`, `the chart of accounts has no ${account.code}`);
  if (row.service !== caller) {
    throw new Refusal("NOT_ACCOUNT_OWNER", `only ${row.service} may create accounts of ${account.code}`);
  }
  return { ...account, ...row, createdAt };
}

/** The flag CLOSED came later, and is not part of what was asked. */
function sameContent(stored: AccountInfo, asked: NewAccount): boolean {
  const flags = (account: NewAccount) => account.flags.filter((flag) => flag !== "CLOSED").sort();
  const content = (account: NewAccount) => {
    const { code, currency, name, ownerId, metadata } = account;
    return JSON.stringify([code, currency, name, ownerId, flags(account), metadata]);
  };
  return content(stored) === content(asked);
}

async function accountsOf(
  transfers: readonly Transfer[],
  find: (accountIds: string[]) => Promise<Account[]>,
): Promise<Map<string, Account>> {
  const ids = new Set(transfers.flatMap(({ debitAccountId, creditAccountId }) => [debitAccountId, creditAccountId]));
  return ids.size === 0 ? new Map() : byId(await find([...ids]));
}

function byId(accounts: readonly Account[]): Map<string, Account> {
  return new Map(accounts.map((account) => [account.info.accountId, account]));
}

function checkCount(count: number, path: string): void {
  if (count >= 1 && count <= maxTransfersPerCall) return;
  throw invalidInput(path, `must hold 1 to ${maxTransfersPerCall}`);
}
