import { v7 as uuidv7 } from "uuid";
import {
  AcceptAgentTransferRequest,
  AcceptAgentTransferResponse,
  EndAgentTransferRequest,
  EndAgentTransferResponse,
  OfferAgentTransferRequest,
  OfferAgentTransferResponse,
  type AgentAccountServiceDefinition,
} from "../../../proto/gen/wallet/v1/agent_accounts.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { parseMoney } from "../../kernel/money.js";
import { invalidInput, passing, Refusal } from "../../kernel/refusal.js";
import { idFromWire } from "../../kernel/text/wire-text.js";
import { creditLineMinorOf } from "../domain/agent-balance.js";
import { assertActive, refusedByMode } from "../domain/agent-sale.js";
import {
  accountsOfTransfer,
  assertMayReceive,
  transferOfAgents,
  type AgentTransfer,
} from "../domain/agent-transfer.js";
import { checkPositive } from "../domain/payment.js";
import { takeOfAgent } from "../sagas/agent-lines.js";
import { agentTransferToWire } from "../wire/agent-transfers.js";
import { pageSizeOf } from "./agent-requests.js";
import type { WalletDeps } from "./deps.js";
import { runMovement } from "./run-movement.js";

/** Money that goes from one agent's account to another's. */
export function agentTransferHandlers(deps: WalletDeps) {
  const { store, runOnce, clock } = deps;

  /** Of the caller, as giver, receiver or manager. Refuses NOT_FOUND, FORBIDDEN. */
  async function found(transferId: string, call: Call) {
    const transfer = await store.forTenant(call.tenantId).findAgentTransfer(idFromWire(transferId, "transferId"));
    if (transfer === undefined) throw new Refusal("NOT_FOUND", "no such transfer");
    const { userId, role } = requireUser(call);
    if (role !== "MANAGER" && ![transfer.giverId, transfer.receiverId].includes(userId)) {
      throw new Refusal("FORBIDDEN", "this is between other agents");
    }
    return { transfer, userId };
  }

  return {
    /**
     * It cannot be sold for from now on, and is the giver's in the books until it is accepted.
     * Refuses AGENT_LIMIT beyond what is prefunded, AGENT_SUSPENDED, STATE_CONFLICT for a giver of
     * another mode, NOT_FOUND for a receiver without an account in the currency.
     */
    async offerAgentTransfer(request, call) {
      const { userId: giverId } = requireUser(call);
      const receiverId = idFromWire(request.receiverId, "receiverId");
      if (receiverId === giverId) throw invalidInput("receiverId", "must be somebody else");
      const { currency } = request;
      assertCurrency(currency, "currency");
      const amount = parseMoney(request.amount, currency, "amount");
      checkPositive(amount);
      return runOnce<OfferAgentTransferRequest, OfferAgentTransferResponse>({
        operation: "wallet.v1.OfferAgentTransfer",
        request,
        requestType: OfferAgentTransferRequest,
        response: OfferAgentTransferResponse,
        call,
        prepare: async () => {
          await deps.ceilings.check(call, amount);
        },
        work: async (session) => {
          const wallet = store.forTenant(call.tenantId);
          assertMayReceive(await wallet.findAgent(receiverId, session), currency);
          const giver = await wallet.agentAtSale(giverId, session);
          assertActive(giver);
          const refusal = refusedByMode(giver, false);
          if (refusal !== undefined) throw refusal;
          // A credit line is there to sell by, not to lend on.
          await takeOfAgent(wallet, giverId, amount, 0n, session);
          const offered: AgentTransfer = {
            transferId: uuidv7(),
            giverId,
            receiverId,
            currency,
            amountMinor: amount.minor,
            status: "OFFERED",
            offeredAt: clock.now(),
          };
          await wallet.insertAgentTransfer(offered, session);
          return { transfer: agentTransferToWire(offered) };
        },
      });
    },

    /** Refuses STATE_CONFLICT once it is over, AGENT_SUSPENDED of either, FORBIDDEN, NOT_FOUND. */
    async acceptAgentTransfer(request, call) {
      const { transfer, userId } = await found(request.transferId, call);
      if (userId !== transfer.receiverId) throw new Refusal("FORBIDDEN", "it is offered to somebody else");
      return runMovement<AcceptAgentTransferRequest, AcceptAgentTransferResponse>(deps, {
        operation: "wallet.v1.AcceptAgentTransfer",
        request,
        requestType: AcceptAgentTransferRequest,
        response: AcceptAgentTransferResponse,
        call,
        plan: async (movementId) => {
          const { status, giverId, receiverId, currency } = transfer;
          if (status === "ACCEPTING") return passing("STATE_CONFLICT", "it is accepted at this moment");
          if (status !== "OFFERED") return new Refusal("STATE_CONFLICT", `the transfer is ${status}`);
          const wallet = store.forTenant(call.tenantId);
          assertMayReceive(await wallet.findAgent(receiverId), currency);
          await wallet.openAgentBalance({ agentId: receiverId, currency });
          const lineMinor = creditLineMinorOf(await wallet.findAgent(giverId), currency);
          return {
            kind: "AGENT_TRANSFER",
            accountId: "",
            customerId: "",
            ownAccounts: accountsOfTransfer(transfer),
            transfers: [transferOfAgents(transfer, movementId, lineMinor)],
            agentTransfer: transfer,
          };
        },
      });
    },

    /** Refuses STATE_CONFLICT once it is over or being accepted, FORBIDDEN. */
    async endAgentTransfer(request, call) {
      const { transfer, userId } = await found(request.transferId, call);
      return runOnce<EndAgentTransferRequest, EndAgentTransferResponse>({
        operation: "wallet.v1.EndAgentTransfer",
        request,
        requestType: EndAgentTransferRequest,
        response: EndAgentTransferResponse,
        call,
        work: async (session) => {
          const { transferId, giverId, receiverId, amountMinor, currency } = transfer;
          const wallet = store.forTenant(call.tenantId);
          const status = userId === receiverId ? ("DECLINED" as const) : ("WITHDRAWN" as const);
          const ended = { status, endedAt: clock.now(), endedBy: userId };
          if (!(await wallet.moveAgentTransfer(transferId, "OFFERED", ended, session))) {
            throw new Refusal("STATE_CONFLICT", "it is not offered any more");
          }
          await wallet.giveBackToAgent({ agentId: giverId, currency }, amountMinor, session);
          return { transfer: agentTransferToWire({ ...transfer, ...ended }) };
        },
      });
    },

    async listAgentTransfers(request, call) {
      const { role, userId } = requireUser(call);
      const size = pageSizeOf(request);
      const fit = { openOnly: request.openOnly, ...(role !== "MANAGER" && { agentId: userId }) };
      const all = await store.forTenant(call.tenantId).listAgentTransfers(fit, request.cursor, size + 1);
      const transfers = all.slice(0, size);
      return {
        transfers: transfers.map(agentTransferToWire),
        nextCursor: all.length > size ? (transfers.at(-1)?.transferId ?? "") : "",
      };
    },
  } satisfies Partial<Handlers<AgentAccountServiceDefinition>>;
}
