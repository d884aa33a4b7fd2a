import { randomUUID } from "node:crypto";
import type { DomiciliaryItem, DomiciliaryResult } from "../../../proto/gen/wallet/v1/statements.js";
import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { masked } from "../domain/account.js";
import {
  domiciliaryCodes,
  faultOf,
  holderAmong,
  missingIn,
  type Candidate,
  type DomiciliaryRequest,
  type DomiciliaryCode,
} from "../domain/domiciliary.js";
import type { WalletDeps } from "./deps.js";
import { managedCustomers } from "./managed-customers.js";
import { openAccountFor } from "./open-wallet-account.js";

const maxItems = 20;

/**
 * Opens accounts for holders of bank verification numbers: the calling customer, or those whom the
 * calling AGENT manages. A number goes to the register only, and is neither stored nor logged.
 * Every fault of an item is in its result.
 */
export function domiciliaryHandlers(deps: WalletDeps) {
  return {
    async createDomiciliaryAccounts(request, call) {
      const { items } = request;
      if (items.length === 0 || items.length > maxItems) throw invalidInput("items", `must be 1 to ${maxItems}`);
      const { tenant } = await deps.identity.getOrganisationPreference({}, outgoing(call));
      const offered = tenant?.preference?.currencies ?? [];
      const candidates = await candidatesOf(deps, call);
      const results: DomiciliaryResult[] = [];
      // One by one, since two items of a request may ask for the same account.
      for (const [index, item] of items.entries()) {
        const missing = missingIn({ ...item }).map((name) => `items[${index}].${name} is missing`);
        const result =
          missing.length > 0
            ? { ...resultOf(requestOf(item), "DOM_FIELD_MISSING"), msgNote: missing.join("; ") }
            : await one(deps, item, { offered, candidates }, call);
        results.push(result);
      }
      return { results };
    },
  } satisfies Partial<Handlers<WalletServiceDefinition>>;
}

interface Scene {
  offered: readonly string[];
  candidates: readonly Candidate[];
}

async function one(deps: WalletDeps, item: DomiciliaryItem, scene: Scene, call: Call): Promise<DomiciliaryResult> {
  const requested = requestOf(item);
  const fault = faultOf(requested, scene.offered);
  if (fault !== undefined) return resultOf(requested, fault);
  const { tenantId, signal } = call;
  const lookedUp = await deps.bank
    .lookUpBvn(randomUUID(), { bvn: requested.bvn, country: "NGA" }, { tenantId, signal })
    .catch(() => "away" as const);
  if (lookedUp === "away") return resultOf(requested, "DOM_BANK_UNAVAILABLE");
  if (lookedUp === undefined) return resultOf(requested, "DOM_BVN_NOT_FOUND");
  const customer = holderAmong(lookedUp, scene.candidates);
  if (customer === undefined) return resultOf(requested, "DOM_BVN_NOT_CUSTOMERS");
  return opened(deps, requested, customer.customerId, call);
}

async function opened(deps: WalletDeps, requested: DomiciliaryRequest, customerId: string, call: Call) {
  const wallet = deps.store.forTenant(call.tenantId);
  const { newCurrency: currency } = requested;
  const existing = await existingNumber(deps, requested, customerId, call);
  const find = async () =>
    (await wallet.accountsOf(customerId)).find((one) => one.currency === currency && one.status !== "CLOSED");
  const before = await find();
  if (before !== undefined) return resultOf(requested, "DOM_EXISTS", before.accountNumber, existing);
  try {
    // The count is in the key: an account after a closed one is another request.
    const closed = (await wallet.accountsOf(customerId)).filter((one) => one.currency === currency).length;
    const idempotencyKey = `domiciliary:${currency}:${closed}`;
    const { account } = await openAccountFor(deps, { idempotencyKey, customerId, currency }, call);
    return resultOf(requested, "DOM_CREATED", account?.accountNumber ?? "", existing);
  } catch (error) {
    const after = error instanceof Refusal && error.code === "ALREADY_EXISTS" ? await find() : undefined;
    if (after !== undefined) return resultOf(requested, "DOM_EXISTS", after.accountNumber, existing);
    call.log.warn({ err: error }, "a domiciliary account could not be opened");
    return resultOf(requested, "DOM_FAILED");
  }
}

async function existingNumber({ store }: WalletDeps, requested: DomiciliaryRequest, customerId: string, call: Call) {
  const accounts = await store.forTenant(call.tenantId).bankAccountsOf(customerId);
  const found = accounts.find(
    ({ bankCode, currency }) => bankCode === padded(requested.bankCode) && currency === requested.existingCurrency,
  );
  return found === undefined ? "" : masked(found.accountNumber);
}

/** Whose numbers may be named: the customer themself, or those whom the AGENT manages. */
async function candidatesOf({ identity }: WalletDeps, call: Call): Promise<Candidate[]> {
  const { role, customerId } = requireUser(call);
  if (role === "CUSTOMER") {
    if (customerId === undefined) throw new Refusal("FORBIDDEN", "the user is not a customer");
    const { customer } = await identity.getCustomer({ customerId }, outgoing(call));
    return customer === undefined ? [] : [customer];
  }
  return managedCustomers({ identity }, call);
}

function requestOf(item: DomiciliaryItem): DomiciliaryRequest {
  return {
    country: item.bvnCountry.trim().toUpperCase(),
    bankCode: item.existingAccountBankCode.trim(),
    bvn: item.existingAccountBvn.trim(),
    existingCurrency: item.existingAccountCurrencyCode.trim(),
    newCurrency: item.newAccountCurrencyCode.trim(),
  };
}

const padded = (bankCode: string): string => (/^\d{1,3}$/.test(bankCode) ? bankCode.padStart(3, "0") : bankCode);

function resultOf(
  requested: DomiciliaryRequest,
  code: DomiciliaryCode,
  accountNumber = "",
  existing = "",
): DomiciliaryResult {
  const { id, isSuccess, note } = domiciliaryCodes[code];
  return {
    createdAccountNumber: accountNumber,
    existingBankAccountNumber: existing,
    createdAccountCurrencyCode: isSuccess ? requested.newCurrency : "",
    status: isSuccess ? "SUCCESS" : "FAILED",
    msgNote: note,
    msgCode: code,
    msgCodeId: id,
    accountBankCode: padded(requested.bankCode).slice(0, 40),
  };
}
