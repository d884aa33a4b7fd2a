import { ComplianceServiceDefinition, Decision } from "../../proto/gen/compliance/v1/compliance.js";
import type { GetTransparencyProfilesResponse } from "../../proto/gen/compliance/v1/transparency.js";
import type { WirePartial } from "../../services/kernel/grpc/definition.js";
import { IdentityServiceDefinition, type Customer } from "../../proto/gen/identity/v1/identity.js";
import type { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import {
  WalletServiceDefinition,
  type MarkPaymentRefundedRequest,
  type MarkTransactionCompletedRequest,
} from "../../proto/gen/wallet/v1/wallet.js";
import { decisionOnMove, type CustomerStatus } from "../../services/compliance/decisions/domain/moves.js";
import { moveFromWire, moveDecisionToWire } from "../../services/compliance/decisions/wire/moves.js";
import type { Client } from "../../services/kernel/grpc/client.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { deliveryHandlers } from "../../services/wallet/handlers/take-back-delivery.js";
import { identityHandlers } from "./remittance-neighbours.js";
import type { ServiceNetwork } from "./service-network.js";
import { createStandInPlugins } from "./stand-in-plugins.js";

/** Stand-ins for identity, compliance and, over a real ledger, wallet. */
export async function createPayoutNeighbours(network: ServiceNetwork) {
  /** What the stand-ins saw, and how they answer. */
  const state = {
    confirmed: [] as string[],
    released: [] as string[],
    givenBack: [] as string[],
    refunded: [] as MarkPaymentRefundedRequest[],
    completed: [] as MarkTransactionCompletedRequest[],
    walletIsAway: false,
    decision: Decision.DECISION_APPROVED as Decision,
    /** What the transparency policy asks, in general and of a transaction. */
    profiles: { policyVersion: 1, profiles: [] } as WirePartial<GetTransparencyProfilesResponse>,
    members: [] as string[],
    /** CONFIRMED where absent. */
    statuses: new Map<string, CustomerStatus>(),
    /** "customer" or "customer/recipient" of whom a hit stands. */
    hits: new Set<string>(),
    /** Of each question about payouts whose it was, and of how many. */
    payoutChecks: [] as { tenantId: string; count: number }[],
    complianceIsAway: false,
    /** Of each question about new names the names. */
    screened: [] as string[][],
    /** Comes between the choice of a partner and the start of a payout there. */
    beforePayoutAnswer: undefined as (() => Promise<void>) | undefined,
  };
  const people = {
    preference: {},
    asked: [] as never[],
    mayAsk: (): void => undefined,
    shown: (customer: WirePartial<Customer>) => customer,
  };
  const plugins = createStandInPlugins();
  const identity = await network.standIn("identity", IdentityServiceDefinition, identityHandlers(people), [
    plugins.served,
  ]);
  const compliance = await network.standIn("compliance", ComplianceServiceDefinition, {
    getTransparencyProfiles: async () => state.profiles,
    checkTransparency: async () => ({ policyVersion: 1 }),
    checkTransaction: async () => ({ decision: state.decision, policyVersion: 1, transparencyMembers: state.members }),
    screenAmendment: async ({ parties }) => (state.screened.push(parties.map(({ name }) => name)), {}),
    confirmReservation: async ({ transactionId }) => (state.confirmed.push(transactionId), {}),
    releaseReservation: async ({ transactionId }) => (state.released.push(transactionId), {}),
    async releaseReservations({ transactionIds }) {
      state.released.push(...transactionIds);
      return { answers: transactionIds.map(() => ({})) };
    },
    giveBackReservation: async ({ transactionId }) => (state.givenBack.push(transactionId), {}),
    async checkPayouts({ payouts }, { tenantId }) {
      state.payoutChecks.push({ tenantId, count: payouts.length });
      if (state.complianceIsAway) throw new Refusal("UNAVAILABLE", "away");
      await state.beforePayoutAnswer?.();
      const isStopped = ({ customerId, recipientCode }: (typeof payouts)[number]) =>
        state.hits.has(customerId) || state.hits.has(`${customerId}/${recipientCode}`);
      return { answers: payouts.map((one) => ({ verdict: moveDecisionToWire(isStopped(one) ? "HOLD" : "PASS") })) };
    },
    checkMoves: async ({ moves }) => ({
      answers: moves.map(({ customerId, kind }) => {
        const decision = decisionOnMove(moveFromWire(kind, "kind"), state.statuses.get(customerId) ?? "CONFIRMED");
        return { verdict: moveDecisionToWire(decision), reasonCode: "" };
      }),
    }),
  });
  const standInWallet = (books: Client<LedgerServiceDefinition>) =>
    network.standIn("wallet", WalletServiceDefinition, {
      async markPaymentRefunded(request) {
        if (state.walletIsAway) throw new Refusal("UNAVAILABLE", "away");
        state.refunded.push(request);
        return {};
      },
      async markTransactionCompleted(request) {
        if (state.walletIsAway) throw new Refusal("UNAVAILABLE", "away");
        state.completed.push(request);
        return {};
      },
      async takeBackDelivery(request, call) {
        if (state.walletIsAway) throw new Refusal("UNAVAILABLE", "away");
        const anyWallet = { forTenant: () => ({ findAccount: async () => ({}) }) } as never;
        return deliveryHandlers({ store: anyWallet, ledger: books }).takeBackDelivery(request, call);
      },
    });
  return {
    told: state,
    people,
    plugins,
    identity,
    compliance,
    standInWallet,
    reset: () =>
      void Object.assign(state, {
        walletIsAway: false,
        decision: Decision.DECISION_APPROVED,
        members: [],
        statuses: new Map(),
        hits: new Set(),
        payoutChecks: [],
        complianceIsAway: false,
        screened: [],
        beforePayoutAnswer: undefined,
      }),
  };
}
