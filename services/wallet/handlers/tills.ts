import { v7 as uuidv7 } from "uuid";
import {
  CashOutRequest,
  CashOutResponse,
  CloseTillRequest,
  CloseTillResponse,
  CountTillRequest,
  CountTillResponse,
  OpenTillRequest,
  OpenTillResponse,
  type CashInRequest,
  type ListTillsRequest,
  type ListTillsResponse,
} from "../../../proto/gen/wallet/v1/money_in.js";
import { assertCurrency } from "../../shared/currencies.js";
import { requireUser, type Call } from "../../shared/grpc/context.js";
import { parseMoney } from "../../shared/money.js";
import { invalidInput, Refusal } from "../../shared/refusal.js";
import { refusalByStatus, type WalletAccount } from "../domain/account.js";
import { checkPositive } from "../domain/payment.js";
import {
  notOpen,
  tillAccounts,
  transferOfCash,
  transfersOfClosing,
  transfersOfOpening,
  type Till,
} from "../domain/till.js";
import { Taken } from "../store/index.js";
import { tillToWire } from "../wire/money-in.js";
import { textFromWire } from "../wire/payments.js";
import { checkCredentials } from "./credentials.js";
import type { WalletDeps } from "./deps.js";
import { runMovement } from "./run-movement.js";

/** Refuses ALREADY_EXISTS while the cashier has one open in the currency. */
export function openTill(deps: WalletDeps) {
  return async (request: OpenTillRequest, call: Call): Promise<OpenTillResponse> => {
    const { currency } = request;
    assertCurrency(currency, "currency");
    const float = parseMoney(request.float || "0", currency, "float");
    const till: Till = {
      tillId: uuidv7(),
      cashierId: requireUser(call).userId,
      currency,
      status: "OPENING",
      floatMinor: float.minor,
      expectedMinor: float.minor,
      moving: 0,
      openedAt: deps.clock.now(),
    };
    return runMovement<OpenTillRequest, OpenTillResponse>(deps, {
      operation: "wallet.v1.OpenTill",
      request,
      requestType: OpenTillRequest,
      response: OpenTillResponse,
      call,
      plan: async () => {
        await deps.ceilings.check(call, float);
        return {
          kind: "TILL_OPENING",
          accountId: "",
          customerId: "",
          ownAccounts: tillAccounts(till),
          transfers: transfersOfOpening(till, float.minor),
          subjectId: till.tillId,
          till,
        };
      },
    }).catch((error: unknown) => {
      if (error instanceof Taken) throw new Refusal("ALREADY_EXISTS", `a till in ${currency} is open`);
      throw error;
    });
  };
}

/** Refuses TILL_NOT_OPEN. */
export function countTill({ store, once }: WalletDeps) {
  return async (request: CountTillRequest, call: Call): Promise<CountTillResponse> => {
    const till = await ownTill(store, request.tillId, call);
    const counted = parseMoney(request.counted, till.currency, "counted");
    return once<CountTillRequest, CountTillResponse>({
      operation: "wallet.v1.CountTill",
      request,
      requestType: CountTillRequest,
      response: CountTillResponse,
      call,
      work: async (session) => {
        const { tillId, cashierId } = till;
        const wallet = store.forTenant(call.tenantId);
        const now = await wallet.countTill(tillId, cashierId, counted.minor, session);
        if (now === undefined) throw notOpen((await wallet.findTill(tillId, session))?.status);
        return { till: tillToWire(now) };
      },
    });
  };
}

/** Refuses TILL_NOT_OPEN, STATE_CONFLICT while cash moves through it. */
export function closeTill(deps: WalletDeps) {
  return async (request: CloseTillRequest, call: Call): Promise<CloseTillResponse> => {
    const till = await ownTill(deps.store, request.tillId, call);
    const counted = parseMoney(request.counted, till.currency, "counted").minor;
    return runMovement<CloseTillRequest, CloseTillResponse>(deps, {
      operation: "wallet.v1.CloseTill",
      request,
      requestType: CloseTillRequest,
      response: CloseTillResponse,
      call,
      plan: async () => {
        if (till.status !== "OPEN") return notOpen(till.status);
        deps.ceilings.checkSum({ minor: counted, currency: till.currency });
        const closed = {
          ...till,
          status: "CLOSED" as const,
          countedMinor: counted,
          differenceMinor: counted - till.expectedMinor,
          closedAt: deps.clock.now(),
        };
        return {
          kind: "TILL_CLOSING",
          accountId: "",
          customerId: "",
          ownAccounts: tillAccounts(till),
          transfers: transfersOfClosing(till, till.expectedMinor, counted),
          subjectId: till.tillId,
          till: closed,
        };
      },
    });
  };
}

export function listTills({ store }: WalletDeps) {
  return async (request: ListTillsRequest, call: Call): Promise<ListTillsResponse> => {
    const { role, userId } = requireUser(call);
    const size = request.pageSize || 20;
    if (size < 1 || size > 100) throw invalidInput("pageSize", "must be 1 to 100");
    textFromWire(request.cursor, "cursor", { minimum: 0 });
    const fit = { openOnly: request.openOnly, ...(role === "CASHIER" && { cashierId: userId }) };
    const found = await store.forTenant(call.tenantId).listTills(fit, request.cursor, size + 1);
    const tills = found.slice(0, size);
    return { tills: tills.map(tillToWire), nextCursor: found.length > size ? (tills.at(-1)?.tillId ?? "") : "" };
  };
}

/**
 * Refuses as cashIn, ACCOUNT_FROZEN, STATE_CONFLICT where the till has not so much, and what the credentials lack: the customer's
 * password and one-time code, always.
 */
export function cashOut(deps: WalletDeps) {
  return async (request: CashOutRequest, call: Call): Promise<CashOutResponse> => {
    const { till, account, amount } = await cashOf(deps, request, call);
    return runMovement<CashOutRequest, CashOutResponse>(deps, {
      operation: "wallet.v1.CashOut",
      request,
      requestType: CashOutRequest,
      omit: ["password", "otp", "pin"],
      response: CashOutResponse,
      call,
      plan: async (movementId) => {
        const { customerId } = account;
        await checkCredentials(deps, request, { customerId, amount, payee: `CASH:${account.accountId}` }, call);
        if (till.status !== "OPEN") return notOpen(till.status);
        const asItIs = refusalByStatus(account);
        if (asItIs !== undefined) return asItIs;
        if (till.expectedMinor < amount.minor) return new Refusal("STATE_CONFLICT", "the till has not so much cash");
        const allowed = await deps.moves.ask({ customerId, kind: "CASH_OUT" }, call);
        if (allowed.refusal !== undefined) return allowed.refusal;
        const { refusal, part } = await deps.dayLimits.bound(account, amount, call);
        if (refusal !== undefined) return refusal;
        const movement = cashMovement(movementId, till, account, amount.minor, false);
        return part === undefined ? movement : { ...movement, spends: [part] };
      },
    });
  };
}

export function cashMovement(
  movementId: string,
  till: Till,
  account: Pick<WalletAccount, "accountId" | "customerId">,
  minor: bigint,
  isIn: boolean,
) {
  return {
    kind: isIn ? ("CASH_IN" as const) : ("CASH_OUT" as const),
    accountId: account.accountId,
    customerId: account.customerId,
    ownAccounts: tillAccounts(till),
    transfers: [transferOfCash(till, movementId, account.accountId, minor, isIn)],
    subjectId: till.tillId,
    subjectMinor: isIn ? minor : -minor,
  };
}

export async function cashOf(deps: WalletDeps, request: CashInRequest | CashOutRequest, call: Call) {
  const till = await ownTill(deps.store, request.tillId, call);
  const accountId = textFromWire(request.accountId, "accountId");
  const account = await deps.store.forTenant(call.tenantId).findAccount(accountId);
  if (account === undefined || account.status === "OPENING") {
    throw new Refusal("ACCOUNT_NOT_FOUND", "no such wallet account");
  }
  const amount = parseMoney(request.amount, till.currency, "amount");
  checkPositive(amount);
  await deps.ceilings.check(call, amount);
  if (account.currency !== till.currency) {
    throw new Refusal("CURRENCY_MISMATCH", `the till holds ${till.currency}, the wallet ${account.currency}`);
  }
  return { till, account, amount };
}

async function ownTill(store: WalletDeps["store"], tillId: string, call: Call): Promise<Till> {
  const till = await store.forTenant(call.tenantId).findTill(textFromWire(tillId, "tillId"));
  if (till === undefined) throw new Refusal("NOT_FOUND", "no such till");
  if (till.cashierId !== requireUser(call).userId) throw new Refusal("FORBIDDEN", "this is another cashier's till");
  return till;
}
