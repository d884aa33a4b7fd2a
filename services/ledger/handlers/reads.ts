import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import type { GetBalanceRequest, GetExchangePositionsRequest } from "../../../proto/gen/ledger/v1/ledger.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { multiplyMoney, parseDecimal } from "../../kernel/decimal.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { assertInt64 } from "../../kernel/money.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { isDebitNormal, positionCodes } from "../domain/chart.js";
import { cursorOf, sequenceOf } from "../wire/cursor.js";
import type { Account, Transfer } from "../domain/model.js";
import { balanceMinor } from "../domain/planning.js";
import { availableCreditMinor, availableDebitMinor, movesMoney } from "../domain/steps.js";
import type { CodeTotals, TenantStore } from "../store/index.js";
import { SnapshotEnded } from "../store/snapshot.js";
import { postedToWire } from "../wire/accounts.js";
import { volumeToWire } from "../wire/audit.js";
import { entriesToWire } from "../wire/transfers.js";
import { dayFromWire, idFromWire, timeFromWire } from "../wire/values.js";
import { byId, checkCount, pageSize, type LedgerDeps } from "./deps.js";

type CurrencyTotals = Pick<CodeTotals, "currency" | "debitsMinor" | "creditsMinor">;

const maxTransfersPerInteraction = 5_000;
const maxVolumeDays = 366;

export function readHandlers({ store }: LedgerDeps) {
  return {
    async getBalance(request, call) {
      const accountId = idFromWire(request.accountId, "account_id");
      return balanceAsOf(store.forTenant(call.tenantId), { ...request, accountId });
    },

    async listAccountEntries(request, call) {
      const { from, until, newestFirst } = request;
      const accountId = idFromWire(request.accountId, "account_id");
      const tenant = store.forTenant(call.tenantId);
      const limit = pageSize(request.pageSize);
      const scope = ["statement", call.tenantId, accountId, from?.getTime(), until?.getTime(), newestFirst];
      const position = sequenceOf(scope, request.cursor);
      const account = await accountOf(tenant, accountId);
      const last = from === undefined && until === undefined ? 0n : ((await tenant.findHead())?.seq ?? 0n);
      const bound = (time: Date, path: string) => tenant.sequenceBefore(timeFromWire(time, path), last);
      const first = from === undefined ? 0n : await bound(from, "from");
      const end = until === undefined ? undefined : (await bound(until, "until")) + 1n;
      const range = newestFirst ? { after: first, before: position ?? end } : { after: position ?? first, before: end };
      const found = await tenant.findByAccount(accountId, { ...range, newestFirst, limit: limit + 1 });
      const page = found.slice(0, limit);
      const entries = page.flatMap((transfer) => entriesToWire(transfer, new Map([[accountId, account]])));
      return {
        entries: entries.filter((entry) => entry.accountId === accountId),
        nextCursor: found.length > limit ? cursorOf(scope, String(page.at(-1)!.seq)) : "",
      };
    },

    async listEntriesByInteraction(request, call) {
      const { ownerId, createdBy } = request;
      checkScope({ ownerId, createdBy }, call);
      const tenant = store.forTenant(call.tenantId);
      const interactionId = idFromWire(request.interactionId, "interaction_id");
      const scope = ["interaction", call.tenantId, interactionId, ownerId, createdBy];
      const limit = request.pageSize === 0 ? maxTransfersPerInteraction : pageSize(request.pageSize);
      const after = sequenceOf(scope, request.cursor);
      const found = await tenant.findByInteraction(interactionId, limit + 1, after);
      const page = found.slice(0, limit);
      const transfers = page.filter((transfer) => createdBy === "" || transfer.createdBy === createdBy);
      const accounts = await accountsOf(tenant, transfers);
      const entries = transfers.flatMap((transfer) => entriesToWire(transfer, accounts));
      return {
        entries: entries.filter((entry) => ownerId === "" || entry.ownerId === ownerId),
        nextCursor: found.length > limit ? cursorOf(scope, String(page.at(-1)!.seq)) : "",
      };
    },

    async listEntriesByKeys({ keys, createdBy }, call) {
      checkCount(keys.length, "keys");
      const tenant = store.forTenant(call.tenantId);
      const decisions = await tenant.findDecisions([...new Set(keys.map((key) => idFromWire(key, "keys")))]);
      const transfers = decisions
        .flatMap(({ transfer }) => (transfer !== undefined && movesMoney(transfer) ? [transfer] : []))
        .filter((transfer) => createdBy === "" || transfer.createdBy === createdBy)
        .toSorted((one, other) => (one.seq < other.seq ? -1 : 1));
      const accounts = await accountsOf(tenant, transfers);
      return { entries: transfers.flatMap((transfer) => entriesToWire(transfer, accounts)) };
    },

    async getVolumes({ fromDate, toDate, kind }, call) {
      const from = dayFromWire(fromDate, "from_date");
      const to = dayFromWire(toDate, "to_date");
      if (to < from) throw invalidInput("to_date", "must not lie before from_date");
      if (to - from >= maxVolumeDays) throw invalidInput("to_date", `at most ${maxVolumeDays} days can be asked for`);
      const volumes = await store.forTenant(call.tenantId).volumesBetween(from, to);
      const wanted = volumes.filter((volume) => kind === "" || volume.kind === kind);
      return {
        volumes: wanted.map(volumeToWire),
      };
    },

    async getExchangePositions(request, call) {
      const tenant = store.forTenant(call.tenantId);
      const totals = await Promise.all(positionCodes().map((code) => tenant.totals(code)));
      return positionsOf(request, byCurrency(totals.flat()));
    },

    async getTrialBalance({ effectiveDate }, call) {
      const tenant = store.forTenant(call.tenantId);
      const lines = effectiveDate === "" ? await tenant.totals() : await totalsAtDate(tenant, effectiveDate);
      return {
        lines: lines.map(({ type: _, debitsMinor, creditsMinor, ...line }) => ({
          ...line,
          debitsMinor: String(debitsMinor),
          creditsMinor: String(creditsMinor),
        })),
      };
    },
  } satisfies Partial<Handlers<LedgerServiceDefinition>>;
}

async function totalsAtDate(tenant: TenantStore, effectiveDate: string): Promise<CodeTotals[]> {
  try {
    return await tenant.totalsAtDate(dayFromWire(effectiveDate, "effective_date"));
  } catch (error) {
    if (!(error instanceof SnapshotEnded)) throw error;
    const why = "lies too far back: more was moved on later days than can be read at one moment";
    throw invalidInput("effective_date", `${why}; add up an export of the journal instead`);
  }
}

async function accountOf(tenant: TenantStore, accountId: string): Promise<Account> {
  const [account] = await tenant.findAccounts([accountId]);
  if (account === undefined) throw new Refusal("ACCOUNT_NOT_FOUND", `no account ${accountId}`);
  return account;
}

async function balanceAsOf(tenant: TenantStore, request: GetBalanceRequest) {
  const { accountId, effectiveDate, insertedAt } = request;
  if (effectiveDate !== undefined) return balanceAtDate(tenant, accountId, effectiveDate);
  const account = await accountOf(tenant, accountId);
  const { currency, flags } = account.info;
  if (insertedAt !== undefined) {
    const timeMs = timeFromWire(insertedAt, "inserted_at");
    const head = await tenant.findHead();
    const last = await tenant.sequenceBefore(timeMs + 1, head?.seq ?? 0n);
    const range = { after: 0n, before: last + 1n, newestFirst: true, limit: 1 };
    const [transfer] = await tenant.findByAccount(accountId, range);
    if (transfer === undefined) return { balanceMinor: 0n, currency, sequence: 0n };
    const isDebit = transfer.debitAccountId === accountId;
    const balance = isDebit ? transfer.debitBalanceMinor : transfer.creditBalanceMinor;
    return { balanceMinor: balance, currency, sequence: transfer.seq };
  }
  const { lastSeq } = account.figures;
  const available = flags.includes("DEBITS_MUST_NOT_EXCEED_CREDITS")
    ? availableDebitMinor(account.figures)
    : flags.includes("CREDITS_MUST_NOT_EXCEED_DEBITS")
      ? availableCreditMinor(account.figures)
      : undefined;
  return {
    balanceMinor: balanceMinor(account),
    ...postedToWire(account.figures),
    ...(available === undefined ? {} : { availableMinor: available }),
    currency,
    sequence: lastSeq,
  };
}

/**
 * What is posted less what is effective later: the days after a date are few where the date is
 * recent.
 */
async function balanceAtDate(tenant: TenantStore, accountId: string, effectiveDate: string) {
  const found = await tenant.findWithDaysAfter(accountId, dayFromWire(effectiveDate, "effective_date"));
  if (found === undefined) throw new Refusal("ACCOUNT_NOT_FOUND", `no account ${accountId}`);
  const { info, figures } = found.account;
  const sum = (name: "debitsMinor" | "creditsMinor") => found.days.reduce((all, day) => all + day[name], 0n);
  const debitsPostedMinor = figures.debitsPostedMinor - sum("debitsMinor");
  const creditsPostedMinor = figures.creditsPostedMinor - sum("creditsMinor");
  // Within its bound as inserted, it may be beyond by effective date.
  const balance = assertInt64(creditsPostedMinor - debitsPostedMinor, "the balance");
  return {
    balanceMinor: isDebitNormal(info.type) ? -balance : balance,
    ...postedToWire({ debitsPostedMinor, creditsPostedMinor }),
    currency: info.currency,
    sequence: 0n,
  };
}

async function accountsOf(tenant: TenantStore, transfers: readonly Transfer[]): Promise<Map<string, Account>> {
  const ids = new Set(transfers.flatMap(({ debitAccountId, creditAccountId }) => [debitAccountId, creditAccountId]));
  return ids.size === 0 ? new Map() : byId(await tenant.findAccounts([...ids]));
}

/** A position is the tenant's, whichever of its services exchanged. */
function byCurrency(totals: readonly CodeTotals[]): CurrencyTotals[] {
  const all = new Map<string, CurrencyTotals>();
  for (const { currency, debitsMinor, creditsMinor } of totals) {
    const before = all.get(currency) ?? { currency, debitsMinor: 0n, creditsMinor: 0n };
    all.set(currency, {
      currency,
      debitsMinor: before.debitsMinor + debitsMinor,
      creditsMinor: before.creditsMinor + creditsMinor,
    });
  }
  return [...all.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
}

function positionsOf({ valuationCurrency, rates }: GetExchangePositionsRequest, totals: readonly CurrencyTotals[]) {
  if (valuationCurrency === "" && Object.keys(rates).length > 0) {
    throw invalidInput("valuation_currency", "is needed where rates are given");
  }
  if (valuationCurrency !== "") assertCurrency(valuationCurrency, "valuation_currency");
  const positions = totals.map(({ currency, debitsMinor, creditsMinor }) => {
    const positionMinor = assertInt64(creditsMinor - debitsMinor, "the position");
    const position = {
      currency,
      boughtMinor: String(creditsMinor),
      soldMinor: String(debitsMinor),
      positionMinor,
    };
    if (valuationCurrency === "") return position;
    if (currency === valuationCurrency) return { ...position, valueMinor: positionMinor };
    const rate = rates[currency];
    if (rate === undefined) throw invalidInput(`rates.${currency}`, "is required: there is a position in it");
    const money = { minor: positionMinor, currency };
    const value = multiplyMoney(money, parseDecimal(rate, `rates.${currency}`), valuationCurrency, "half-even");
    return { ...position, valueMinor: value.minor };
  });
  if (valuationCurrency === "") return { positions };
  const result = positions.reduce((all, position) => all + ("valueMinor" in position ? position.valueMinor : 0n), 0n);
  return { positions, resultMinor: assertInt64(result, "the result") };
}

/**
 * Customers see entries of their own accounts, cashiers what they caused; the gateway never asks
 * without a user.
 */
function checkScope({ ownerId, createdBy }: { ownerId: string; createdBy: string }, call: Call): void {
  const user = call.caller === "gateway" ? requireUser(call) : call.user;
  if (user === undefined || user.role === "MANAGER" || user.role === "AGENT") return;
  const isOwn =
    user.role === "CUSTOMER"
      ? user.customerId !== undefined && user.customerId !== "" && ownerId === user.customerId
      : createdBy === user.userId;
  if (!isOwn) throw new Refusal("FORBIDDEN", "entries of others are not shown to this role");
}
