import type { ListAccountsRequest } from "../../../proto/gen/ledger/v1/ledger.js";
import type { ServiceName } from "../../shared/grpc/context.js";
import { invalidInput, Refusal } from "../../shared/refusal.js";
import { chartCodes, chartRow } from "../domain/chart.js";
import { cursorOf, positionOf } from "../wire/cursor.js";
import type { Account, AccountInfo, NewAccount } from "../domain/model.js";
import type { AccountFilter } from "../store/accounts.js";
import { accountToWire, accountTypeToWire, newAccountFromWire } from "../wire/accounts.js";
import { idFromWire, metadataFromWire } from "../wire/values.js";
import { byId, checkCount, pageSize, type LedgerHandlersDeps, type Rpcs } from "./deps.js";

type AccountRpcs = Rpcs<"createAccounts" | "getAccount" | "getAccounts" | "listAccounts" | "closeAccount" | "getChart">;

const maxFilterNames = 8;

export function createAccountHandlers({ store, clock }: LedgerHandlersDeps): AccountRpcs {
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
      const found = byId(await store.forTenant(call.tenantId).findAccountsTogether([...wanted]));
      return { accounts: [...wanted].flatMap((id) => found.get(id) ?? []).map(accountToWire) };
    },

    async listAccounts(request, call) {
      const filter = filterFromWire(request);
      const scope = ["accounts", call.tenantId, filter];
      const limit = pageSize(request.pageSize);
      const after = positionOf(scope, request.cursor) ?? "";
      const found = await store.forTenant(call.tenantId).listAccounts(filter, after, limit + 1);
      const page = found.slice(0, limit);
      const nextCursor = found.length > limit ? cursorOf(scope, page.at(-1)!.info.accountId) : "";
      return { accounts: page.map(accountToWire), nextCursor };
    },

    async closeAccount({ accountId }, call) {
      const id = idFromWire(accountId, "account_id");
      const account = await store.forTenant(call.tenantId).closeAccount(id, (open) => {
        if (call.caller !== "operator" && open.info.service !== call.caller) {
          throw new Refusal("NOT_ACCOUNT_OWNER", `only ${open.info.service} may close accounts of ${open.info.code}`);
        }
        refuseUnlessEmpty(open);
      });
      if (account === undefined) throw new Refusal("ACCOUNT_NOT_FOUND", `no account ${id}`);
      return { account: accountToWire(account) };
    },

    async getChart() {
      const codes = chartCodes().map(({ code, type, service, description }) => ({
        code,
        description,
        owningService: service,
        type: accountTypeToWire(type),
      }));
      return { codes };
    },
  };
}

function filterFromWire(request: ListAccountsRequest): AccountFilter {
  const { code, currency, ownerId, metadata, metadataExists } = request;
  if (Object.keys(metadata).length + metadataExists.length > maxFilterNames) {
    throw invalidInput("metadata", `at most ${maxFilterNames} names can be asked for`);
  }
  const names = metadataFromWire(Object.fromEntries(metadataExists.map((name) => [name, ""])), "metadata_exists");
  return {
    code,
    currency,
    ownerId: ownerId === "" ? "" : idFromWire(ownerId, "owner_id"),
    metadata: metadataFromWire(metadata, "metadata"),
    exists: names.map(([name]) => name),
  };
}

/** Money on it, or on its way to or from it, has to go elsewhere first. */
function refuseUnlessEmpty({ info, figures }: Account): void {
  const { debitsPostedMinor, creditsPostedMinor, debitsPendingMinor, creditsPendingMinor } = figures;
  const balance = creditsPostedMinor - debitsPostedMinor;
  if (balance === 0n && debitsPendingMinor === 0n && creditsPendingMinor === 0n) return;
  throw new Refusal("ACCOUNT_NOT_EMPTY", `account ${info.accountId} is not empty`, {
    figures: {
      creditsLessDebitsMinor: String(balance),
      debitsPendingMinor: String(debitsPendingMinor),
      creditsPendingMinor: String(creditsPendingMinor),
    },
  });
}

export function accountInfo(account: NewAccount, caller: ServiceName, createdAt: Date, path: string): AccountInfo {
  const row = chartRow(account.code);
  if (row === undefined) throw invalidInput(`${path}.code`, `the chart of accounts has no ${account.code}`);
  if (row.service !== caller) {
    throw new Refusal("NOT_ACCOUNT_OWNER", `only ${row.service} may create accounts of ${account.code}`);
  }
  const { type, service } = row;
  return { ...account, type, service, createdAt };
}

/** The flag CLOSED came later, and is not part of what was asked. */
export function sameContent(stored: AccountInfo, asked: NewAccount): boolean {
  const flags = (account: NewAccount) => account.flags.filter((flag) => flag !== "CLOSED").sort();
  const content = (account: NewAccount) => {
    const { code, currency, name, ownerId, metadata } = account;
    return JSON.stringify([code, currency, name, ownerId, flags(account), metadata]);
  };
  return content(stored) === content(asked);
}
