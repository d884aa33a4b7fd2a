import { randomInt } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { OpenWalletAccountRequest, OpenWalletAccountResponse } from "../../../proto/gen/wallet/v1/wallet.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import type { Ticket } from "../../kernel/idempotency/index.js";
import { Refusal } from "../../kernel/refusal.js";
import { deadlineOf, originOf, runSaga } from "../../kernel/sagas/index.js";
import { accountNumberOf, type WalletAccount } from "../domain/account.js";
import { openAccountOperation } from "../sagas/opening.js";
import { Taken } from "../store/taken.js";
import { whose, type WalletDeps } from "./deps.js";

const maxNumberAttempts = 10;

/**
 * Opens an account. Refuses CUSTOMER_NOT_FOUND, and ALREADY_EXISTS when the customer has one in the
 * currency.
 */
export function openWalletAccount(deps: WalletDeps) {
  return async (given: OpenWalletAccountRequest, call: Call): Promise<OpenWalletAccountResponse> => {
    const customerId = whose(given.customerId, call);
    assertCurrency(given.currency, "currency");
    const check = async () => {
      await deps.identity.getCustomer({ customerId }, outgoing(call));
      await deps.readers.begin(call.tenantId);
      if (call.user !== undefined) await checkOffered(deps, given.currency, call);
    };
    return open(deps, { ...given, customerId }, call, actorOf(call), check);
  };
}

/** As the rpc, for a customer who is known to be there. Refuses ALREADY_EXISTS. */
export function openAccountFor(deps: WalletDeps, request: OpenWalletAccountRequest, call: Call) {
  return open(deps, request, call, `customer:${request.customerId}`, () => deps.readers.begin(call.tenantId));
}

function open(
  deps: WalletDeps,
  request: OpenWalletAccountRequest,
  call: Call,
  caller: string,
  check: () => Promise<void>,
): Promise<OpenWalletAccountResponse> {
  const { idempotency, sagas, openings } = deps;
  const { tenantId } = call;
  return runSaga<OpenWalletAccountRequest, OpenWalletAccountResponse>({
    idempotency,
    sagas,
    operation: openAccountOperation,
    request,
    requestType: OpenWalletAccountRequest,
    response: OpenWalletAccountResponse,
    call,
    caller,
    async start(ticket) {
      await check();
      const account = await begin(deps, request, call, ticket);
      return { drive: () => openings.drive(tenantId, account, { ...deadlineOf(call), isFirst: true }) };
    },
    resume: (accountId) => openings.driveById(tenantId, accountId, deadlineOf(call)),
  });
}

/** Refuses CURRENCY_MISMATCH for a currency that the organisation does not have. */
async function checkOffered({ identity }: WalletDeps, currency: string, call: Call): Promise<void> {
  const { tenant } = await identity.getOrganisationPreference({}, outgoing(call));
  const offered = tenant?.preference?.currencies ?? [];
  if (offered.includes(currency)) return;
  throw new Refusal("CURRENCY_MISMATCH", `wallets here hold ${offered.join(", ") || "nothing yet"}`);
}

async function begin(
  { openings, clock }: WalletDeps,
  { customerId, currency }: OpenWalletAccountRequest,
  call: Call,
  ticket: Ticket,
): Promise<WalletAccount> {
  for (let attempt = 1; ; attempt++) {
    const account: WalletAccount = {
      accountId: uuidv7(),
      accountNumber: accountNumberOf(String(randomInt(100_000_000, 1_000_000_000))),
      customerId,
      currency,
      status: "OPENING",
      createdAt: clock.now(),
      ...originOf(call, ticket.scope.caller, ticket.scope.key),
    };
    try {
      await openings.begin(call.tenantId, account, ticket);
      return account;
    } catch (error) {
      if (!(error instanceof Taken)) throw error;
      if (error.what === "customerCurrency") {
        throw new Refusal("ALREADY_EXISTS", `the customer has a wallet account in ${currency}`);
      }
      // One number in 900 million was drawn twice: draw again.
      if (attempt === maxNumberAttempts) throw error;
    }
  }
}
