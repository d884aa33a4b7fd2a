import { v7 as uuidv7 } from "uuid";
import {
  AcceptHandOverRequest,
  AcceptHandOverResponse,
  EndHandOverRequest,
  EndHandOverResponse,
  OfferCashRequest,
  OfferCashResponse,
  type TillServiceDefinition,
} from "../../../proto/gen/wallet/v1/tills.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { money } from "../../kernel/money.js";
import { invalidInput, passing, Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { transferOfHandOver, type HandOver } from "../domain/hand-over.js";
import { checkPositive } from "../domain/payment.js";
import { notOpen, tillAccounts, tillShort } from "../domain/till.js";
import { handOverToWire } from "../wire/hand-overs.js";
import { countedFromWire } from "../wire/tills.js";
import { cashRuleFor, movedAs, ownTill } from "./cash.js";
import type { WalletDeps } from "./deps.js";
import { runMovement } from "./run-movement.js";

/** Cash that goes from one person's till to another's. */
export function handOverHandlers(deps: WalletDeps) {
  const { store, runOnce, clock } = deps;

  /** Of the caller, as giver or receiver; any for a MANAGER. Refuses NOT_FOUND, FORBIDDEN. */
  async function found(handOverId: string, call: Call) {
    const wanted = textFromWire(handOverId, "handOverId");
    const handOver = await store.forTenant(call.tenantId).findHandOver(wanted);
    if (handOver === undefined) throw new Refusal("NOT_FOUND", "no such hand-over");
    const { userId, role } = requireUser(call);
    if (role !== "MANAGER" && ![handOver.giverId, handOver.receiverId].includes(userId)) {
      throw new Refusal("FORBIDDEN", "this is between other people");
    }
    return { handOver, userId };
  }

  return {
    /**
     * The till expects it no more from now on, and is not closed before it is accepted or taken
     * back; in the books it is the giver's. Refuses TILL_NOT_OPEN, TILL_SHORT, AMOUNT_NOT_POSITIVE,
     * NOT_FOUND for a receiver without an open till.
     */
    async offerCash(request, call) {
      const till = await ownTill(store, request.tillId, call);
      const { currency, tillId: fromTillId, cashierId: giverId } = till;
      const receiverId = textFromWire(request.receiverId, "receiverId");
      if (receiverId === giverId) throw invalidInput("receiverId", "must be somebody else");
      const { minor: amountMinor, denominations } = countedFromWire(request, currency);
      const amount = money(amountMinor, currency);
      checkPositive(amount);
      return runOnce<OfferCashRequest, OfferCashResponse>({
        operation: "wallet.v1.OfferCash",
        request,
        requestType: OfferCashRequest,
        response: OfferCashResponse,
        call,
        prepare: async () => {
          await deps.ceilings.check(call, amount);
          const theirs = await store.forTenant(call.tenantId).findTillOf(receiverId, currency);
          if (theirs?.status !== "OPEN") throw new Refusal("NOT_FOUND", `the receiver has no till open in ${currency}`);
          if (theirs.branch !== till.branch) throw invalidInput("receiverId", "has a till of another branch");
        },
        work: async (session) => {
          const wallet = store.forTenant(call.tenantId);
          if (!(await wallet.beginCash(fromTillId, giverId, -amountMinor, session))) {
            const status = (await wallet.findTill(fromTillId, session))?.status;
            throw status === "OPEN" ? tillShort() : notOpen(status);
          }
          const offered: HandOver = {
            handOverId: uuidv7(),
            fromTillId,
            giverId,
            receiverId,
            branch: till.branch,
            currency,
            amountMinor,
            ...(denominations !== undefined && { denominations }),
            status: "OFFERED",
            offeredAt: clock.now(),
          };
          await wallet.insertHandOver(offered, session);
          return { handOver: handOverToWire(offered) };
        },
      });
    },

    /** Refuses STATE_CONFLICT once it is over, TILL_NOT_OPEN, AMOUNT_OUT_OF_LIMITS, FORBIDDEN. */
    async acceptHandOver(request, call) {
      const { handOver, userId } = await found(request.handOverId, call);
      if (userId !== handOver.receiverId) throw new Refusal("FORBIDDEN", "it is offered to somebody else");
      return runMovement<AcceptHandOverRequest, AcceptHandOverResponse>(deps, {
        operation: "wallet.v1.AcceptHandOver",
        request,
        requestType: AcceptHandOverRequest,
        response: AcceptHandOverResponse,
        call,
        plan: async (movementId) => {
          const { status, currency, amountMinor } = handOver;
          if (status === "ACCEPTING") return passing("STATE_CONFLICT", "it is accepted at this moment");
          if (status !== "OFFERED") return new Refusal("STATE_CONFLICT", `the hand-over is ${status}`);
          const till = await store.forTenant(call.tenantId).findTillOf(userId, currency);
          if (till?.status !== "OPEN") return notOpen(till?.status);
          if (till.branch !== handOver.branch) throw new Refusal("FORBIDDEN", "it is out of a till of another branch");
          const { tillMinor: tillMaxMinor } = await cashRuleFor(deps, till, call);
          return {
            kind: "HAND_OVER",
            accountId: "",
            customerId: "",
            ownAccounts: tillAccounts(till),
            transfers: [transferOfHandOver(handOver, till, movementId)],
            subjectId: till.tillId,
            subjectMinor: amountMinor,
            tillMaxMinor,
            handOver: { ...handOver, toTillId: till.tillId },
            ...movedAs(call),
          };
        },
      });
    },

    /**
     * A manager gives it back for both, so that a till can be closed whose holder is away. Refuses
     * STATE_CONFLICT once it is over or being accepted, FORBIDDEN.
     */
    async endHandOver(request, call) {
      const { handOver, userId } = await found(request.handOverId, call);
      return runOnce<EndHandOverRequest, EndHandOverResponse>({
        operation: "wallet.v1.EndHandOver",
        request,
        requestType: EndHandOverRequest,
        response: EndHandOverResponse,
        call,
        work: async (session) => {
          const { handOverId, fromTillId, amountMinor, receiverId } = handOver;
          const wallet = store.forTenant(call.tenantId);
          const status = userId === receiverId ? ("DECLINED" as const) : ("WITHDRAWN" as const);
          const ended = { status, endedBy: userId, endedAt: clock.now() };
          if (!(await wallet.moveHandOver(handOverId, "OFFERED", ended, session))) {
            throw new Refusal("STATE_CONFLICT", "the cash is not offered any more");
          }
          await wallet.takeBackCash(fromTillId, amountMinor, session);
          return { handOver: handOverToWire({ ...handOver, ...ended }) };
        },
      });
    },

    async listHandOvers(request, call) {
      const { role, userId } = requireUser(call);
      const size = request.pageSize || 20;
      if (size < 1 || size > 100) throw invalidInput("pageSize", "must be 1 to 100");
      textFromWire(request.cursor, "cursor", { minimum: 0 });
      const fit = { openOnly: request.openOnly, ...(role !== "MANAGER" && { userId }) };
      const all = await store.forTenant(call.tenantId).listHandOvers(fit, request.cursor, size + 1);
      const handOvers = all.slice(0, size);
      return {
        handOvers: handOvers.map(handOverToWire),
        nextCursor: all.length > size ? (handOvers.at(-1)?.handOverId ?? "") : "",
      };
    },
  } satisfies Partial<Handlers<TillServiceDefinition>>;
}
