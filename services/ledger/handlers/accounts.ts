import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import {
  EntrySide,
  OpenBookAccountRequest,
  OpenBookAccountResponse,
  type ListAccountsRequest,
} from "../../../proto/gen/ledger/v1/ledger.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { chartCodes, isDebitNormal, isOfServiceAlone } from "../domain/chart.js";
import { accountInfo, assertEmpty, sameContent } from "../domain/accounts.js";
import { namedAccount, openedByPeople } from "../domain/own-accounts.js";
import type { Account } from "../domain/model.js";
import { cursorOf, positionOf } from "../wire/cursor.js";
import type { AccountFilter } from "../store/accounts.js";
import { accountToWire, accountTypeToWire, newAccountFromWire } from "../wire/accounts.js";
import { idFromWire, metadataFromWire } from "../wire/values.js";
import { byId, checkCount, pageSize, type LedgerDeps } from "./deps.js";

const maxFilterNames = 8;

export function accountHandlers({ store, runOnce, clock }: LedgerDeps) {
  return {
    async createAccounts({ accounts }, call) {
      checkCount(accounts.length, "accounts");
      const requested = accounts.map((account, index) => newAccountFromWire(account, `accounts[${index}]`));
      const createdAt = clock.now();
      const infos = requested.map((account, index) =>
        accountInfo(account, call.caller, createdAt, `accounts[${index}]`),
      );
      const stored = byId(await store.forTenant(call.tenantId).ensureAccounts(infos));
      for (const account of requested) {
        if (sameContent(stored.get(account.accountId)!.info, account)) continue;
        throw new Refusal("ALREADY_EXISTS", `account ${account.accountId} exists with other content`);
      }
      return { accounts: requested.map(({ accountId }) => accountToWire(stored.get(accountId)!)) };
    },

    openBookAccount: (request, call) =>
      runOnce({
        operation: "open-book-account",
        request,
        requestType: OpenBookAccountRequest,
        response: OpenBookAccountResponse,
        call,
        // Opened twice it is one account, so that it needs no part in the key's commit.
        prepare: async () => {
          const currency = assertCurrency(request.currency, "currency");
          const info = namedAccount({ ...request, currency }, clock.now());
          const [account] = await store.forTenant(call.tenantId).ensureAccounts([info]);
          if (account!.info.name === info.name) return account!;
          throw new Refusal("ALREADY_EXISTS", `account ${info.accountId} is called ${account!.info.name}`);
        },
        work: async (_session, account) => ({ account: accountToWire(account) }),
      }),

    async getAccount({ accountId }, call) {
      const [account] = await store.forTenant(call.tenantId).findAccounts([idFromWire(accountId, "account_id")]);
      if (account === undefined) throw new Refusal("ACCOUNT_NOT_FOUND", `no account ${accountId}`);
      return { account: accountToWire(account) };
    },

    async getAccounts({ accountIds }, call) {
      checkCount(accountIds.length, "account_ids");
      const wanted = new Set(accountIds.map((id, index) => idFromWire(id, `account_ids[${index}]`)));
      const found = byId(await store.forTenant(call.tenantId).findAccountsSnapshot([...wanted]));
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
      const check = (open: Account): void => {
        if (call.caller !== "operator" && open.info.service !== call.caller) {
          throw new Refusal("NOT_ACCOUNT_OWNER", `only ${open.info.service} may close accounts of ${open.info.code}`);
        }
        assertEmpty(open);
      };
      const account = await store.forTenant(call.tenantId).closeAccount(id, check, clock.now());
      if (account === undefined) throw new Refusal("ACCOUNT_NOT_FOUND", `no account ${id}`);
      return { account: accountToWire(account) };
    },

    async getChart() {
      const codes = chartCodes().map(({ code, type, service, description }) => ({
        code,
        description,
        owningService: service,
        type: accountTypeToWire(type),
        side: isDebitNormal(type) ? EntrySide.ENTRY_SIDE_DEBIT : EntrySide.ENTRY_SIDE_CREDIT,
        openedByPeople: openedByPeople.includes(code),
        postedBy: isOfServiceAlone(code) || service === "ledger" ? [service] : [service, "ledger"],
      }));
      return { codes };
    },
  } satisfies Partial<Handlers<LedgerServiceDefinition>>;
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
