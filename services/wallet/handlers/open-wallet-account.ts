import { randomInt } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { OpenWalletAccountRequest, OpenWalletAccountResponse } from "../../../proto/gen/wallet/v1/wallet.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Ticket } from "../../kernel/idempotency/index.js";
import { Refusal } from "../../kernel/refusal.js";
import { deadlineOf, originOf, runSaga } from "../../kernel/sagas/index.js";
import { accountNumberOf, type WalletAccount } from "../domain/account.js";
import { openAccountOperation } from "../sagas/opening.js";
import { Taken } from "../store/taken.js";
import type { WalletDeps } from "./deps.js";

const maxNumberAttempts = 10;

/** Opens an account once `check` lets it. Refuses ALREADY_EXISTS. */
export function openAccount(
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

/** As the rpc, for a customer who is known to be there. Refuses ALREADY_EXISTS. */
export function openAccountFor(deps: WalletDeps, request: OpenWalletAccountRequest, call: Call) {
  return openAccount(deps, request, call, `customer:${request.customerId}`, () => deps.readers.begin(call.tenantId));
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
