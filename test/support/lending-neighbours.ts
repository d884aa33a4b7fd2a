import { createKeptParties } from "./kept-parties.js";
import { randomUUID } from "node:crypto";
import {
  ComplianceServiceDefinition,
  type Decision,
  type MoveVerdict,
} from "../../proto/gen/compliance/v1/compliance.js";
import type { Approval } from "../../proto/gen/identity/v1/approvals.js";
import { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import type { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import { WalletServiceDefinition } from "../../proto/gen/wallet/v1/wallet.js";
import { outgoing, type Client } from "../../services/kernel/grpc/client.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
import { Refusal, type RefusalCode } from "../../services/kernel/refusal.js";
import { createStandInEvents } from "./stand-in-events.js";
import { createStandInPlugins } from "./stand-in-plugins.js";
import type { ServiceNetwork } from "./service-network.js";

export interface LendingPerson {
  tenantId: string;
  userId: string;
  customerId: string;
  token: string;
}

/**
 * Stand-ins of identity, compliance and wallet; the wallet posts to the real ledger. What they know
 * may be changed at any time.
 */
export async function createLendingNeighbours(network: ServiceNetwork, walletLedger: Client<LedgerServiceDefinition>) {
  const customers = new Map<string, LendingPerson>();
  const wallets = new Map<string, { tenantId: string; customerId: string; currency: string; status: string }>();
  const bankAccounts = new Map<string, { tenantId: string; customerId: string; currency: string; status: string }>();
  const today = new Map<string, string>();
  const begun = new Map<string, number>();
  const approvals = new Map<string, { approval: Approval; payloadJson: string; tenantId: string }>();
  const ceilings = new Map<string, { amountMinor: bigint; currency: string }[]>();
  const state = {
    decision: "DECISION_APPROVED" as Decision,
    /** What the customers' statuses let money that goes to them do. */
    moves: "MOVE_VERDICT_PASS" as MoveVerdict,
    movesReason: "",
    pin: "",
    /** What identity refuses every question with. */
    takesNoQuestion: undefined as RefusalCode | undefined,
    debitFault: "" as "" | "before" | "after",
  };

  const plugins = createStandInPlugins();
  const parties = createKeptParties();
  const identityHandlers: Partial<Handlers<IdentityServiceDefinition>> = {
    keepTransferParty: parties.keepTransferParty,
    async getCustomer({ customerId = "", userId = "" }, { tenantId }) {
      const found = customers.get(customerId) ?? [...customers.values()].find((person) => person.userId === userId);
      if (found?.tenantId !== tenantId) throw new Refusal("CUSTOMER_NOT_FOUND", "no such customer");
      const names = { firstName: "Amina", lastName: "Bello", email: "amina@test.example", agentId: "" };
      return { customer: { customerId: found.customerId, userId: found.userId, ...names } };
    },
    getOrganisationPreference: async (_request, { tenantId }) => ({
      tenant: { tenantId, preference: { agentScope: "MANAGED", amountCeilings: ceilings.get(tenantId) ?? [] } },
    }),
    async getTenantClock(_request, { tenantId }) {
      const date = today.get(tenantId) ?? "2026-11-21";
      // Each date begins at noon when it is first asked for, and goes on from there.
      const begunAt = begun.get(`${tenantId}/${date}`) ?? Date.now();
      begun.set(`${tenantId}/${date}`, begunAt);
      const offsetMs = BigInt(Temporal.Instant.from(`${date}T12:00:00Z`).epochMilliseconds - begunAt);
      return { clock: { businessDate: date, timeZone: "UTC", offsetMs, sandbox: true } };
    },
    async verifyCredentials({ pin }) {
      if (state.pin !== "" && pin === "") throw new Refusal("PIN_REQUIRED", "the PIN is required");
      if (state.pin !== "" && pin !== state.pin) throw new Refusal("PIN_WRONG", "the PIN is wrong");
      return {};
    },
    async askApproval(request, call) {
      if (state.takesNoQuestion !== undefined) throw new Refusal(state.takesNoQuestion, "is not asked about");
      const known = [...approvals.values()].find(
        ({ approval }) => approval.subject === request.subject && approval.askedBecause === request.reason,
      );
      if (known !== undefined) return { approval: known.approval };
      const { kind, subject, summary, reason, amount } = request;
      const requested = {
        approvalId: randomUUID(),
        kind,
        subject,
        summary,
        amount,
        status: "PENDING",
        askedBy: call.user?.userId ?? "",
        askedBecause: reason,
        changes: [],
        moreChanges: 0,
      };
      const approval: Approval = {
        ...requested,
        askedAt: new Date(),
        expiresAt: new Date(),
        decidedBy: "",
        decidedBecause: "",
        decidedAt: undefined,
        service: "lending",
        effects: [],
        effectCount: 0,
        digest: "",
        joined: [],
        joinedCount: 0,
      };
      approvals.set(approval.approvalId, { approval, payloadJson: request.payloadJson, tenantId: call.tenantId });
      return { approval };
    },
  };
  const identityAddress = await network.standIn("identity", IdentityServiceDefinition, identityHandlers, [
    plugins.served,
  ]);
  const complianceAddress = await network.standIn("compliance", ComplianceServiceDefinition, {
    checkCustomerAction: async () => ({ decision: state.decision }),
    checkMoves: async ({ moves }) => ({
      answers: moves.map(() => ({ verdict: state.moves, reasonCode: state.movesReason })),
    }),
  });
  const walletHandlers = {
    async getWalletAccount({ accountId }: { accountId: string }, { tenantId }: { tenantId: string }) {
      const found = wallets.get(accountId);
      if (found?.tenantId !== tenantId) throw new Refusal("NOT_FOUND", "no such wallet");
      return { account: { accountId, ...found } };
    },
    async listWalletAccounts({ customerId }: { customerId: string }, { tenantId }: { tenantId: string }) {
      const mine = [...wallets].filter(
        ([, wallet]) => wallet.tenantId === tenantId && wallet.customerId === customerId,
      );
      return {
        accounts: mine.map(([accountId, { currency, status }]) => ({ accountId, customerId, currency, status })),
      };
    },
    async getBankAccount(
      { bankAccountId, customerId }: { bankAccountId: string; customerId: string },
      { tenantId }: { tenantId: string },
    ) {
      const found = bankAccounts.get(bankAccountId);
      if (found?.tenantId !== tenantId || found.customerId !== customerId)
        throw new Refusal("NOT_FOUND", "no such bank account");
      const { currency, status } = found;
      const named = { country: "NGA", bankCode: "044", accountNumber: "0123456789", accountHolderName: "Amina Bello" };
      return { account: { bankAccountId, customerId, currency, status, ...named } };
    },
    async debitWallet(
      request: {
        idempotencyKey: string;
        accountId: string;
        legs: { creditAccountId: string; amountMinor: bigint; kind: string }[];
        effectiveAt?: Date;
      },
      call: { tenantId: string; interactionId: string },
    ) {
      if (state.debitFault === "before") throw new Refusal("UNAVAILABLE", "the wallet is away");
      const currency = wallets.get(request.accountId)?.currency ?? "";
      const transfers = request.legs.map((leg, index) => ({
        key: `wallet-debit:lending:${request.idempotencyKey}:${index + 1}`,
        debitAccountId: request.accountId,
        creditAccountId: leg.creditAccountId,
        amount: { amountMinor: leg.amountMinor, currency },
        kind: leg.kind,
        mode: "TRANSFER_MODE_POSTED" as const,
        ...(request.effectiveAt === undefined ? {} : { effectiveAt: request.effectiveAt }),
      }));
      const { results } = await walletLedger.postTransfers(
        { groups: [{ transfers }], createdBy: "wallet" },
        outgoing(call),
      );
      if (results[0]?.refused !== undefined) throw new Refusal("INSUFFICIENT_FUNDS", "the wallet's balance is too low");
      if (state.debitFault === "after") throw new Refusal("UNAVAILABLE", "the answer was lost");
      return { newBalanceMinor: 0n, postedAt: new Date() };
    },
  };
  const walletAddress = await network.standIn("wallet", WalletServiceDefinition, walletHandlers as never);
  const events = await createStandInEvents(network);
  const addresses = {
    EVENTS_ADDRESS: events.address,
    IDENTITY_ADDRESS: identityAddress,
    COMPLIANCE_ADDRESS: complianceAddress,
    WALLET_ADDRESS: walletAddress,
  };
  return { events, plugins, addresses, customers, wallets, bankAccounts, today, approvals, ceilings, state };
}
