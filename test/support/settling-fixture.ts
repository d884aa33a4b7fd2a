import { randomUUID } from "node:crypto";
import { ApprovalOutcomeServiceDefinition } from "../../proto/gen/identity/v1/approvals.js";
import { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import {
  SettlementServiceDefinition,
  type ProposeSettlementRequest,
  type Settlement,
} from "../../proto/gen/ledger/v1/settlements.js";
import { ReportServiceDefinition } from "../../proto/gen/operations/v1/reports.js";
import type { WirePartial } from "../../services/kernel/grpc/definition.js";
import { decideAsForeseen } from "./foreseen.js";
import { waitFor } from "./index.js";
import { createLedgerFixture, tenantCalls, transfer, type WireTransfer } from "./ledger-fixture.js";
import { createFaults } from "./rpc-faults.js";
import { createStandInEvents } from "./stand-in-events.js";
import { createStandInIdentity } from "./stand-in-identity.js";

/** A ledger whose people propose settlements and approve them, with identity standing in. */
export async function createSettlingFixture(name: string) {
  const fixture = await createLedgerFixture(name);
  const { network } = fixture;
  const identity = createStandInIdentity(createFaults());
  const IDENTITY_ADDRESS = await network.standIn("identity", IdentityServiceDefinition, identity.handlers);

  const events = await createStandInEvents(network);

  return {
    ...fixture,
    identity,
    events,
    async start() {
      const env = { IDENTITY_ADDRESS, EVENTS_ADDRESS: events.address };
      const ledger = await fixture.start(env, { pollMs: 50 });
      return {
        ...ledger,
        settlements: network.client(SettlementServiceDefinition, "ledger", ledger.port, "gateway"),
        reports: network.client(ReportServiceDefinition, "ledger", ledger.port, "gateway"),
        outcomes: network.client(ApprovalOutcomeServiceDefinition, "ledger", ledger.port, "identity"),
      };
    },
  };
}

type Started = Awaited<ReturnType<Awaited<ReturnType<typeof createSettlingFixture>>["start"]>>;
export type SettlingLedger = Omit<Started, "reports">;
type Identity = ReturnType<typeof createStandInIdentity>;

/** The other sides' accounts of a fresh tenant, and what its managers do. */
export function settlingTenant(ledgerOf: () => SettlingLedger, identityOf: () => Identity) {
  const tenant = tenantCalls();
  const { tenantId, call } = tenant;
  const manager = { tenantId, role: "MANAGER" as const, userId: "manager-1" };
  const asManager = () => call({ user: manager });
  const accountIds = {
    partnerUsd: "partner_settlement:p1:USD",
    partnerNgn: "partner_settlement:p1:NGN",
    card: "card_settlement:c1:USD",
    tax: "tax_payable:USD",
    bank: "own_bank:chase:USD",
    bankNgn: "own_bank:zenith:NGN",
  };

  const world = {
    ...tenant,
    ...accountIds,
    asManager,

    async openAll(): Promise<void> {
      const { wallet, remittance, as } = ledgerOf();
      const of = (accountId: string) => {
        const [code = "", , currency = ""] = accountId.split(":");
        return { accountId, code, currency: currency || accountId.split(":").at(-1)! };
      };
      const { partnerUsd, partnerNgn, card, tax } = accountIds;
      const own = ["exchange_position:USD", "exchange_position:NGN", "remittance_clearing:USD", tax, "fee_income:USD"];
      await remittance.createAccounts({ accounts: [partnerUsd, partnerNgn, ...own].map(of) }, call());
      await wallet.createAccounts({ accounts: [card, "bank_settlement:USD"].map(of) }, call());
      for (const [name, currency] of [
        ["Chase", "USD"],
        ["Zenith", "NGN"],
      ]) {
        const request = { idempotencyKey: randomUUID(), code: "own_bank", currency: currency!, name: name! };
        await as("gateway").openBookAccount(request, asManager());
      }
    },

    /** So much more is owed on an account, by its service; gives the transfer's key. */
    async owe(creditAccountId: string, amountMinor: bigint, more: WireTransfer = {}): Promise<string> {
      const key = `owe-${randomUUID()}`;
      const currency = creditAccountId.split(":").at(-1)!;
      const [service, from] = creditAccountId.startsWith("card")
        ? (["wallet", "bank_settlement:USD"] as const)
        : (["remittance", currency === "NGN" ? "exchange_position:NGN" : "remittance_clearing:USD"] as const);
      const [debit, credit] = service === "wallet" ? [creditAccountId, from] : [from, creditAccountId];
      const transfers = [transfer(key, debit, credit, amountMinor, { amount: { amountMinor, currency }, ...more })];
      const request = { groups: [{ transfers }], createdBy: service };
      const { results } = await ledgerOf()[service].postTransfers(request, call());
      if (results[0]?.posted === undefined) throw new Error(`not posted: ${JSON.stringify(results[0]?.refused)}`);
      return key;
    },

    /** Credits less debits. */
    async balance(accountId: string): Promise<bigint> {
      const { accounts } = await ledgerOf().wallet.getAccounts({ accountIds: [accountId] }, call());
      const [account] = accounts;
      return account === undefined ? 0n : account.creditsPostedMinor - account.debitsPostedMinor;
    },

    /** USD paid to the partner out of the bank, where nothing else is said. */
    request(more: WirePartial<ProposeSettlementRequest> = {}) {
      return {
        idempotencyKey: randomUUID(),
        kind: "SETTLEMENT_KIND_PARTNER" as const,
        accountId: accountIds.partnerUsd,
        amount: "10.00",
        currency: "USD",
        cost: { amount: "10.00", currency: "USD" },
        bankAccountId: accountIds.bank,
        valueDate: new Date().toISOString().slice(0, 10),
        reference: `R-${randomUUID().slice(0, 8)}`,
        ...more,
      };
    },

    async propose(more: WirePartial<ProposeSettlementRequest> = {}): Promise<Settlement> {
      const { settlement } = await ledgerOf().settlements.proposeSettlement(world.request(more), asManager());
      return settlement!;
    },

    /** How identity tells of a decision that somebody else made. */
    outcomeOf(approvalId: string, status: "APPROVED" | "REFUSED" = "APPROVED") {
      const asked = identityOf().state.approvals.find(({ approval }) => approval.approvalId === approvalId)!;
      const decided = { status, decidedBy: "manager-2", decidedBecause: status === "REFUSED" ? "no" : "ok" };
      return { approval: { ...asked.approval, ...decided }, payloadJson: asked.payloadJson };
    },

    decide: (approvalId: string, status: "APPROVED" | "REFUSED" = "APPROVED") =>
      decideAsForeseen(ledgerOf().outcomes, world.outcomeOf(approvalId, status), call()),

    /** As it stands at identity. */
    approvalOf: (approvalId: string) =>
      identityOf().state.approvals.find(({ approval }) => approval.approvalId === approvalId)!.approval,

    async read(settlementId: string): Promise<Settlement> {
      const { settlement } = await ledgerOf().settlements.getSettlement({ settlementId }, asManager());
      return settlement!;
    },

    /** As it is once it is in one of these states. */
    ended: (settlementId: string, ...statuses: string[]): Promise<Settlement> =>
      waitFor(
        async () => {
          const now = await world.read(settlementId);
          return statuses.some((one) => now.status === `SETTLEMENT_STATUS_${one}`) ? now : undefined;
        },
        { what: statuses.join(" or ") },
      ),

    /** Proposed, approved by another, and posted or refused. */
    async settle(more: WirePartial<ProposeSettlementRequest> = {}): Promise<Settlement> {
      const { settlementId, approvalId } = await world.propose(more);
      await world.decide(approvalId);
      return world.ended(settlementId, "POSTED", "REFUSED");
    },

    async reverse(settlementId: string, reason = "another partner was paid") {
      const request = { idempotencyKey: randomUUID(), settlementId, reason };
      const { settlement } = await ledgerOf().settlements.reverseSettlement(request, asManager());
      return settlement!.reversal!;
    },
  };
  return world;
}
