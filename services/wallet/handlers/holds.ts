import { v7 as uuidv7 } from "uuid";
import {
  ConfirmHoldRequest,
  ConfirmHoldResponse,
  CreateHoldRequest,
  CreateHoldResponse,
  ReleaseHoldRequest,
  ReleaseHoldResponse,
} from "../../../proto/gen/wallet/v1/holds.js";
import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import { refusedNeutrally } from "../../platform/neighbours/customer-moves.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { parseMoney, type Money } from "../../kernel/money.js";
import { invalidInput, passing, Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { refusalByStatus } from "../domain/account.js";
import { heldAccount, heldBy, transferOfHeld } from "../domain/held-arrival.js";
import { statusOf, transferOfEnd, transferOfHold, type Hold } from "../domain/hold.js";
import { checkPositive, checkReceivingWallet } from "../domain/payment.js";
import { holdToWire } from "../wire/holds.js";
import type { WalletDeps } from "./deps.js";
import { findOwnAccount } from "./find-account.js";
import { checkPayerCredentials } from "../../platform/neighbours/payer-credentials.js";
import { runMovement } from "./run-movement.js";

const weekS = 7 * 86_400;

/** Money that is held for a merchant until it is taken or given back. */
export function holdHandlers(deps: WalletDeps) {
  return {
    /** Reserves money for another wallet. Refuses as a payment between wallets does. */
    async createHold(request, call) {
      const expiresInS = request.expiresInS || weekS;
      if (expiresInS < 60 || expiresInS > 2_592_000) throw invalidInput("expiresInS", "must be 60 to 2592000");
      const description = textFromWire(request.description, "description", { minimum: 0, maximum: 140 });
      return runMovement<CreateHoldRequest, CreateHoldResponse>(deps, {
        operation: "wallet.v1.CreateHold",
        request,
        requestType: CreateHoldRequest,
        omit: ["password", "otp", "pin"],
        response: CreateHoldResponse,
        call,
        plan: async () => {
          const { account, payee, amount } = await partiesOf(deps, request, call);
          await deps.ceilings.check(call, amount);
          const { customerId, accountId } = account;
          await checkPayerCredentials(deps, request, { customerId, amount, payee: `WALLET:${payee.accountId}` }, call);
          checkReceivingWallet(account, payee);
          const asItIs = refusalByStatus(account);
          if (asItIs !== undefined) return asItIs;
          const { refusal, part } = await deps.dayLimits.check(account, amount, call);
          if (refusal !== undefined) return refusal;
          const createdAt = deps.clock.now();
          const hold: Hold = {
            holdId: uuidv7(),
            accountId,
            customerId,
            payeeAccountId: payee.accountId,
            payeeCustomerId: payee.customerId,
            amount,
            description,
            status: "HOLDING",
            ...(part === undefined ? {} : { spentOn: part.day }),
            createdAt,
            expiresAt: new Date(createdAt.getTime() + expiresInS * 1_000),
          };
          return {
            kind: "HOLD",
            accountId,
            customerId,
            ownAccounts: [],
            transfers: [transferOfHold(hold, expiresInS)],
            subjectId: hold.holdId,
            hold,
            ...(part === undefined ? {} : { spends: [part] }),
          };
        },
      });
    },

    /**
     * Pays what is held, or a part of it. Refuses NOT_FOUND, FORBIDDEN, HOLD_NOT_OPEN for one that
     * is over, AMOUNT_MISMATCH above what is held.
     */
    async confirmHold(request, call) {
      return runMovement<ConfirmHoldRequest, ConfirmHoldResponse>(deps, {
        operation: "wallet.v1.ConfirmHold",
        request,
        requestType: ConfirmHoldRequest,
        response: ConfirmHoldResponse,
        call,
        plan: async () => {
          const hold = await payeesHold(deps, request.holdId, call);
          const { amount } = hold;
          const taken = request.amount === "" ? amount : parseMoney(request.amount, amount.currency, "amount");
          checkPositive(taken);
          if (taken.minor > amount.minor) return new Refusal("AMOUNT_MISMATCH", "more than is held");
          const planned = endOf(deps, hold, taken);
          if (planned instanceof Refusal) return planned;
          const [payer, payee] = await Promise.all([
            deps.moves.ask({ customerId: hold.customerId, kind: "HOLD_CONFIRMATION" }, call),
            deps.moves.ask({ customerId: hold.payeeCustomerId, kind: "PAYMENT_RECEIVED" }, call),
          ]);
          // Nobody learns of the other's status.
          if (payer.refusal !== undefined) return refusedNeutrally();
          return payee.isHeld ? heldForPayee(planned, hold, taken) : planned;
        },
      });
    },

    /** Lets go of what is held. Refuses as confirmHold. */
    async releaseHold(request, call) {
      return runMovement<ReleaseHoldRequest, ReleaseHoldResponse>(deps, {
        operation: "wallet.v1.ReleaseHold",
        request,
        requestType: ReleaseHoldRequest,
        response: ReleaseHoldResponse,
        call,
        plan: async () => endOf(deps, await payeesHold(deps, request.holdId, call), undefined),
      });
    },

    /** Refuses NOT_FOUND, FORBIDDEN for who neither gives nor gets it. */
    async getHold(request, call) {
      const hold = await find(deps, request.holdId, call);
      const { role, customerId = "" } = requireUser(call);
      if (role === "CUSTOMER" && ![hold.customerId, hold.payeeCustomerId].includes(customerId)) {
        throw new Refusal("FORBIDDEN", "this is between other customers");
      }
      return { hold: holdToWire(hold, deps.clock.now()) };
    },
  } satisfies Partial<Handlers<WalletServiceDefinition>>;
}

function endOf({ clock }: WalletDeps, hold: Hold, confirmed: Money | undefined) {
  const status = statusOf(hold, clock.now());
  if (status === "HOLDING") return passing("HOLD_NOT_OPEN", "the hold is being made");
  if (status !== "HELD") return new Refusal("HOLD_NOT_OPEN", `the hold is ${status}`);
  const isConfirmed = confirmed !== undefined;
  return {
    kind: isConfirmed ? ("HOLD_CONFIRMATION" as const) : ("HOLD_RELEASE" as const),
    accountId: hold.accountId,
    customerId: hold.customerId,
    ownAccounts: [],
    transfers: [transferOfEnd(hold, confirmed)],
    subjectId: hold.holdId,
    hold: {
      ...hold,
      status: isConfirmed ? ("CONFIRMED" as const) : ("RELEASED" as const),
      ...(isConfirmed && { confirmedMinor: confirmed.minor }),
    },
  };
}

/** Holds what is confirmed in the payee's wallet, who may not have it yet. */
function heldForPayee(planned: Exclude<ReturnType<typeof endOf>, Refusal>, hold: Hold, taken: Money) {
  const payee = { accountId: hold.payeeAccountId, customerId: hold.payeeCustomerId };
  const held = heldBy({ ...transferOfEnd(hold, taken), amount: taken }, payee, "PAYMENT_RECEIVED");
  return {
    ...planned,
    ownAccounts: [heldAccount(taken.currency)],
    transfers: [...planned.transfers, transferOfHeld(held)],
    held,
  };
}

async function partiesOf(deps: WalletDeps, request: CreateHoldRequest, call: Call) {
  const wallet = deps.store.forTenant(call.tenantId);
  const account = await findOwnAccount(deps, textFromWire(request.accountId, "accountId"), call);
  const payee = await wallet.findAccount(textFromWire(request.payeeAccountId, "payeeAccountId"));
  if (payee === undefined || payee.status === "OPENING" || payee.status === "CLOSED") {
    throw new Refusal("PAYABLE_NOT_FOUND", "no such wallet account to pay");
  }
  const amount = parseMoney(request.amount, account.currency, "amount");
  checkPositive(amount);
  return { account, payee, amount };
}

async function payeesHold(deps: WalletDeps, holdId: string, call: Call): Promise<Hold> {
  const hold = await find(deps, holdId, call);
  const { role, customerId } = requireUser(call);
  if (role === "CUSTOMER" && hold.payeeCustomerId !== customerId) {
    throw new Refusal("FORBIDDEN", "only who gets the money decides about it");
  }
  return hold;
}

async function find({ store }: WalletDeps, holdId: string, call: Call): Promise<Hold> {
  const hold = await store.forTenant(call.tenantId).findHold(textFromWire(holdId, "holdId"));
  if (hold === undefined) throw new Refusal("NOT_FOUND", "no such hold");
  return hold;
}
