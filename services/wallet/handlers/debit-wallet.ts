import {
  DebitWalletRequest,
  DebitWalletResponse,
  type WalletDebitLeg,
  type WalletServiceDefinition,
} from "../../../proto/gen/wallet/v1/wallet.js";
import { outgoingUnnamed } from "../../kernel/grpc/client.js";
import type { Call } from "../../kernel/grpc/context.js";
import { assertInt64 } from "../../kernel/money.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { isSandbox } from "../../platform/sandbox/sandbox.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { refusalByStatus } from "../domain/account.js";
import { transfersOfDebit } from "../domain/movement.js";
import { debitWalletOperation } from "../sagas/movements/debit.js";
import type { WalletDeps } from "./deps.js";
import { runMovement } from "./run-movement.js";

const keyForm = /^[A-Za-z0-9._:-]{1,80}$/;

const kindForm = /^[a-z][a-z_]{0,63}$/;

const maxLegs = 20;

/**
 * Moves money out of a wallet for another service of ours, which has checked credentials and
 * limits. Refuses ACCOUNT_NOT_FOUND for an account that is not the named customer's and for a
 * credit account that is not there. Keeps its refusals INSUFFICIENT_FUNDS, ACCOUNT_FROZEN,
 * ACCOUNT_CLOSED, CURRENCY_MISMATCH, and what the customer's status does not let pass:
 * CUSTOMER_NOT_CONFIRMED, COMPLIANCE_REJECTED.
 */
export function debitHandlers(deps: WalletDeps) {
  return {
    async debitWallet(request, call) {
      const { caller } = call;
      checkForm(request, call);
      return runMovement<DebitWalletRequest, DebitWalletResponse>(deps, {
        operation: debitWalletOperation,
        request,
        requestType: DebitWalletRequest,
        response: DebitWalletResponse,
        call,
        // The asking service's key, whichever user rides along.
        caller,
        plan: async () => {
          const { accountId, customerId, currency, refusal } = await load(deps, request, call);
          if (refusal !== undefined) return refusal;
          const move = caller === "lending" ? ("LOAN_PAYOFF" as const) : ("INVESTMENT" as const);
          const allowed = await deps.moves.ask({ customerId, kind: move }, call);
          if (allowed.refusal !== undefined) return allowed.refusal;
          const { legs, description, effectiveAt, idempotencyKey: key } = request;
          return {
            kind: "WALLET_DEBIT",
            accountId,
            customerId,
            ownAccounts: [],
            transfers: transfersOfDebit({ asker: caller, key, accountId, currency, legs, description, effectiveAt }),
          };
        },
      });
    },
  } satisfies Partial<Handlers<WalletServiceDefinition>>;
}

function checkForm(request: DebitWalletRequest, { tenantId }: Call): void {
  if (!keyForm.test(request.idempotencyKey)) {
    throw invalidInput("idempotencyKey", "must be 1 to 80 of letters, digits and -_.:");
  }
  textFromWire(request.accountId, "accountId");
  textFromWire(request.customerId, "customerId");
  textFromWire(request.description, "description", { minimum: 0, maximum: 200 });
  checkLegs(request.legs);
  if (request.effectiveAt !== undefined && !isSandbox(tenantId)) {
    throw invalidInput("effectiveAt", "is a sandbox's: a live tenant's entries count for when they are posted");
  }
}

function checkLegs(legs: readonly WalletDebitLeg[]): void {
  if (legs.length === 0 || legs.length > maxLegs) throw invalidInput("legs", `must be 1 to ${maxLegs}`);
  for (const [index, { creditAccountId, amountMinor, kind }] of legs.entries()) {
    textFromWire(creditAccountId, `legs.${index}.creditAccountId`);
    if (amountMinor <= 0n) throw invalidInput(`legs.${index}.amountMinor`, "must be above zero");
    if (!kindForm.test(kind)) throw invalidInput(`legs.${index}.kind`, "must be lower case with _");
  }
  const total = legs.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  assertInt64(total, "legs");
}

/**
 * Loads the account that pays, with what refuses the debit. Throws for a missing credit account,
 * which is the caller's fault and leaves the key free.
 */
async function load({ store, ledger }: WalletDeps, request: DebitWalletRequest, call: Call) {
  const { accountId, customerId, legs } = request;
  const account = await store.forTenant(call.tenantId).findAccount(accountId);
  if (account === undefined || account.status === "OPENING" || account.customerId !== customerId) {
    throw new Refusal("ACCOUNT_NOT_FOUND", "no such wallet account of this customer");
  }
  const creditIds = [...new Set(legs.map(({ creditAccountId }) => creditAccountId))];
  const { accounts } = await ledger.getAccounts({ accountIds: creditIds }, outgoingUnnamed(call));
  const currencies = new Map(accounts.map((credit) => [credit.accountId, credit.currency]));
  let refusal = refusalByStatus(account);
  for (const [index, { creditAccountId }] of legs.entries()) {
    const currency = currencies.get(creditAccountId);
    if (currency === undefined) throw new Refusal("ACCOUNT_NOT_FOUND", `legs.${index}: no such account to credit`);
    if (currency === account.currency) continue;
    refusal ??= new Refusal("CURRENCY_MISMATCH", `the wallet holds ${account.currency}, leg ${index + 1} ${currency}`);
  }
  return { accountId, customerId, currency: account.currency, refusal };
}
