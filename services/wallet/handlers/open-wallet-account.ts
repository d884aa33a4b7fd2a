import { randomInt } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { OpenWalletAccountRequest, OpenWalletAccountResponse } from "../../../proto/gen/wallet/v1/wallet.js";
import { assertCurrency } from "../../shared/currencies.js";
import { outgoing } from "../../shared/grpc/client.js";
import { actorOf, type Call } from "../../shared/grpc/context.js";
import { fingerprintOf, type Ticket } from "../../shared/idempotency/index.js";
import { Refusal } from "../../shared/refusal.js";
import { runKeyedSaga } from "../../shared/sagas.js";
import { accountNumberOf, type WalletAccount } from "../domain/account.js";
import { openAccountOperation } from "../sagas/opening.js";
import { Taken } from "../store/index.js";
import { textFromWire } from "../wire/payments.js";
import { originOf, waiting, whose, type WalletDeps } from "./deps.js";

/** Opens an account. Refuses CUSTOMER_NOT_FOUND, and ALREADY_EXISTS when the customer has one in the currency. */
export function openWalletAccount(deps: WalletDeps) {
  const { idempotency, sagas, openings } = deps;
  return async (given: OpenWalletAccountRequest, call: Call): Promise<OpenWalletAccountResponse> => {
    const key = textFromWire(given.idempotencyKey, "idempotencyKey", { maximum: 255 });
    const customerId = whose(given.customerId, call);
    assertCurrency(given.currency, "currency");
    const request = { ...given, customerId };
    const { tenantId } = call;
    const caller = actorOf(call);
    return runKeyedSaga({
      idempotency,
      sagas,
      scope: { tenantId, caller, operation: openAccountOperation, key },
      fingerprint: fingerprintOf(OpenWalletAccountRequest, request, ["idempotencyKey"]),
      response: OpenWalletAccountResponse,
      call,
      async start(ticket) {
        await deps.identity.getCustomer({ customerId }, outgoing(call));
        await deps.readers.begin(tenantId);
        if (call.user !== undefined) await checkOffered(deps, request.currency, call);
        const account = await begin(deps, request, call, ticket);
        return { drive: () => openings.drive(tenantId, account, { ...waiting(call), isFirst: true }) };
      },
      resume: (accountId) => openings.driveById(tenantId, accountId, waiting(call)),
    });
  };
}

/** Refuses CURRENCY_MISMATCH for a currency that the organisation does not have. */
async function checkOffered({ identity }: WalletDeps, currency: string, call: Call): Promise<void> {
  const { tenant } = await identity.getOrganisationPreference({}, outgoing(call));
  const offered = tenant?.preference?.currencies ?? [];
  if (offered.includes(currency)) return;
  throw new Refusal("CURRENCY_MISMATCH", `wallets here hold ${offered.join(", ") || "nothing yet"}`);
}

/** As the rpc, for a customer who is known to be there. Refuses ALREADY_EXISTS. */
export function openAccountFor(
  deps: WalletDeps,
  request: OpenWalletAccountRequest,
  call: Call,
): Promise<OpenWalletAccountResponse> {
  const { idempotency, sagas, openings, readers } = deps;
  const { tenantId } = call;
  const { idempotencyKey: key, customerId } = request;
  return runKeyedSaga({
    idempotency,
    sagas,
    scope: { tenantId, caller: `customer:${customerId}`, operation: openAccountOperation, key },
    fingerprint: fingerprintOf(OpenWalletAccountRequest, request, ["idempotencyKey"]),
    response: OpenWalletAccountResponse,
    call,
    async start(ticket) {
      await readers.begin(tenantId);
      const account = await begin(deps, request, call, ticket);
      return { drive: () => openings.drive(tenantId, account, { ...waiting(call), isFirst: true }) };
    },
    resume: (accountId) => openings.driveById(tenantId, accountId, waiting(call)),
  });
}

const numberAttempts = 10;

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
      if (attempt === numberAttempts) throw error;
    }
  }
}
