import type { TransparencyFacts } from "../../proto/gen/compliance/v1/transparency.js";
import type { PersonalDetails } from "../../proto/gen/common/v1/personal_details.js";
import type { Approval, AskApprovalRequest } from "../../proto/gen/identity/v1/approvals.js";
import { IdentityServiceDefinition, Role, type OrganisationPreference } from "../../proto/gen/identity/v1/identity.js";
import { PluginServiceDefinition, type Plugin, type ResolvedPlugin } from "../../proto/gen/identity/v1/plugins.js";
import {
  RemittanceServiceDefinition,
  type BlockTransactionsResponse,
  type ReleaseBlockedTransactionsResponse,
} from "../../proto/gen/remittance/v1/remittance.js";
import { WalletServiceDefinition } from "../../proto/gen/wallet/v1/wallet.js";
import type { ContactAnswer } from "../../services/compliance/decisions/clients/contact-verification.js";
import type { Message } from "../../services/platform/messages/message.js";
import { requireUser, type Call } from "../../services/kernel/grpc/context.js";
import type { WirePartial } from "../../services/kernel/grpc/definition.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
import { Refusal, type RefusalCode } from "../../services/kernel/refusal.js";
import { isSandbox } from "../../services/platform/sandbox/sandbox.js";
import type { NeighbourRecords } from "./compliance-records.js";
import { alsoStandIn, type ServiceNetwork } from "./service-network.js";

export const ada = { role: "CUSTOMER", userId: "u-c1", customerId: "c1" } as const;
export const ben = { role: "CUSTOMER", userId: "u-c2", customerId: "c2" } as const;
/** Manages c1 and c3, not c2. */
export const agent = { role: "AGENT", userId: "AG1" } as const;
export const otherAgent = { role: "AGENT", userId: "AG2" } as const;
export const cashier = { role: "CASHIER", userId: "CA1" } as const;
export const manager = { role: "MANAGER", userId: "MA1" } as const;
export const secondManager = { role: "MANAGER", userId: "MA2" } as const;

export type NeighbourState = ReturnType<typeof createNeighbourState>;

/** What the neighbours know and were told; tests read and change it. */
export function createNeighbourState(start: Date) {
  return {
    now: start,
    preferences: new Map<string, Partial<OrganisationPreference>>(),
    /** Days by which a tenant's business date was moved on. */
    daysAhead: new Map<string, number>(),
    /** By customer id; others live in the USA. */
    countries: new Map<string, string>([["ng1", "NGA"]]),
    /** By customer id; others registered in 2020. */
    registered: new Map<string, Date>(),
    phones: new Map<string, string>(),
    /** By customer id; first and last name. */
    names: new Map<string, string>(),
    /** What identity has of customers beside name and contacts. */
    details: new Map<string, Parameters<typeof PersonalDetails.fromPartial>[0]>(),
    /** Whom staff registered at the counter. */
    atCounter: new Set<string>(),
    sent: [] as (Message & { tenantId: string })[],
    /** By tenant. */
    plugins: new Map<string, ResolvedPlugin[]>(),
    isPluginsAway: false,
    asked: [] as { tenantId: string; reference: string; type: string; value: string }[],
    answer: { verified: true, raw: '{"status":"VERIFIED"}' } as ContactAnswer | Error,
    /** What remittance answers of blocks, the last one again and again. */
    blockAnswers: [] as Partial<BlockTransactionsResponse>[],
    /** What remittance and wallet answer of it. */
    releaseAnswer: {} as Partial<ReleaseBlockedTransactionsResponse>,
    wallets: [] as string[],
    isRemittanceAway: false,
    /** What remittance tells of orders by a policy that was published. */
    toldAnew: {} as WirePartial<TransparencyFacts>,
    /** What identity refuses every question with. */
    takesNoQuestion: undefined as RefusalCode | undefined,
    /** What was asked of identity's approvals, by asker and key. */
    approvals: new Map<string, RequestedApproval>(),
    /** Runs while identity is asked for an approval. */
    onAsk: undefined as (() => Promise<unknown>) | undefined,
    tellFails: 0,
  };
}

/** Stand-ins for identity, remittance and wallet over real gRPC; where they answer. */
export async function createComplianceNeighbours(
  network: ServiceNetwork,
  state: NeighbourState,
  records: NeighbourRecords,
) {
  const plugins = alsoStandIn(PluginServiceDefinition, {
    async resolvePlugins({ kinds, installationId }, { tenantId }) {
      if (state.isPluginsAway) throw new Refusal("UNAVAILABLE", "away");
      const all = (state.plugins.get(tenantId) ?? []).filter(({ kind }) => kinds.includes(kind));
      const isRequested = (one: ResolvedPlugin) => installationId === "" || one.installationId === installationId;
      return { plugins: all.filter(isRequested) };
    },
    async notePluginTest({ installationId, test }, { tenantId }) {
      records(tenantId).pluginTests.push(test!);
      return { plugin: { installationId, lastTest: test } as Plugin };
    },
    async notePluginCalls({ noted }, { tenantId }) {
      records(tenantId).pluginCalls.push(...noted);
      return {};
    },
  });
  const people: Partial<Handlers<IdentityServiceDefinition>> = {
    async getCustomer(by) {
      const customerId = by.customerId ?? by.userId?.replace(/^u-/, "");
      if (customerId === undefined || !/^(c\d|ng\d)/.test(customerId)) {
        throw new Refusal("CUSTOMER_NOT_FOUND", "no such customer");
      }
      return {
        customer: {
          customerId,
          userId: `u-${customerId}`,
          ...nameOf(state.names.get(customerId) ?? `Customer ${customerId}`),
          country: state.countries.get(customerId) ?? "USA",
          email: `${customerId}@example.test`,
          phoneNumber: state.phones.get(customerId) ?? "+12025550143",
          details: state.details.get(customerId),
          registeredAtCounter: state.atCounter.has(customerId),
          agentId: customerId === "c2" ? "" : "AG1",
          createdAt: state.registered.get(customerId) ?? new Date("2020-01-01T00:00:00Z"),
        },
      };
    },
    listStaffUsers: async () => ({
      users: [manager, secondManager, agent].map(({ userId, role }) => ({ userId, role: Role[`ROLE_${role}`] })),
    }),
    async askApproval(request, call) {
      if (state.takesNoQuestion !== undefined) throw new Refusal(state.takesNoQuestion, "is not asked about");
      const { onAsk } = state;
      state.onAsk = undefined;
      const approval = askOf(state.approvals, request, call);
      await onAsk?.();
      return { approval };
    },
    async noteApprovalEffects({ approvalId, effects }, { tenantId }) {
      records(tenantId).joined.push(...effects.map(({ kind, subject }) => ({ approvalId, kind, subject })));
      return {};
    },
    async withdrawApproval({ approvalId }, { tenantId }) {
      records(tenantId).withdrawn.push(approvalId);
      return {};
    },
    async noteCustomerStatus(request, { tenantId }) {
      records(tenantId).noted.push(request);
      return {};
    },
    async getTenantClock(_request, { tenantId }) {
      const { timeZone = "UTC" } = state.preferences.get(tenantId) ?? {};
      const offsetMs = BigInt(state.daysAhead.get(tenantId) ?? 0) * 86_400_000n;
      return { clock: { timeZone, offsetMs } };
    },
    async getOrganisationPreference(_request, call) {
      const preference = { timeZone: "UTC", ...state.preferences.get(call.tenantId) };
      const hosts = isSandbox(call.tenantId) ? [] : ["demo.test"];
      return { tenant: { tenantId: call.tenantId, name: "Demo", hosts, preference } };
    },
  };
  const identity = await network.standIn("identity", IdentityServiceDefinition, people, [plugins]);
  const remittance = await network.standIn("remittance", RemittanceServiceDefinition, {
    async decideTransaction(request, { tenantId }) {
      if (state.tellFails > 0) {
        state.tellFails -= 1;
        throw new Refusal("UNAVAILABLE", "not now");
      }
      records(tenantId).decided.push(request);
      return {};
    },
    async blockTransactions(request, { tenantId }) {
      records(tenantId).blocked.push(request);
      if (state.blockAnswers.length > 1) return state.blockAnswers.shift()!;
      return state.blockAnswers[0] ?? {};
    },
    async foreseeBlock({ transactionIds }) {
      if (state.isRemittanceAway) throw new Refusal("UNAVAILABLE", "not now");
      return { effects: transactionIds.map((id) => ({ kind: "TRANSACTION_BLOCKED", subject: `transaction:${id}` })) };
    },
    foreseeBlockRelease: async () => ({ effects: [] }),
    async releaseBlockedTransactions(request, { tenantId }) {
      records(tenantId).released.push(request);
      return state.releaseAnswer;
    },
    async resumeHeldPayouts({ customerId }, { tenantId }) {
      records(tenantId).resumed.push(customerId);
      return {};
    },
    async tellTransparency({ transactionIds, policyVersion }, { tenantId }) {
      records(tenantId).toldAnew.push({ transactionIds, policyVersion });
      if (state.isRemittanceAway) throw new Refusal("UNAVAILABLE", "not now");
      const facts = { knownMembers: [], ...state.toldAnew, policyVersion };
      return { told: transactionIds.map((transactionId) => ({ transactionId, facts })) };
    },
    async describeTransactions(request, { tenantId }) {
      records(tenantId).described.push(request.transactionIds);
      if (state.isRemittanceAway) throw new Refusal("UNAVAILABLE", "not now");
      const transactions = request.transactionIds.map((transactionId) => ({
        transactionId,
        transactionCode: `MT-${transactionId}`,
        status: "AWAITING_COMPLIANCE",
        since: state.now,
        recipientName: "Eliseo Tarquesada",
      }));
      return { transactions };
    },
  });
  const wallet = await network.standIn("wallet", WalletServiceDefinition, {
    async foreseeCustomerWalletsFrozen({ frozen }) {
      const kind = frozen ? "WALLET_FROZEN" : "WALLET_UNFROZEN";
      return { effects: state.wallets.map((accountId) => ({ kind, subject: `wallet:${accountId}` })) };
    },
    async setCustomerWalletsFrozen(request, { tenantId }) {
      if (state.tellFails > 0) {
        state.tellFails -= 1;
        throw new Refusal("UNAVAILABLE", "not now");
      }
      records(tenantId).frozen.push(request);
      const { frozen } = request;
      const kind = frozen ? "WALLET_FROZEN" : "WALLET_UNFROZEN";
      const effects = state.wallets.map((accountId) => ({ kind, subject: `wallet:${accountId}` }));
      return { changed: 1, wallets: state.wallets.map((accountId) => ({ accountId, frozen })), effects };
    },
  });
  return { IDENTITY_ADDRESS: identity, REMITTANCE_ADDRESS: remittance, WALLET_ADDRESS: wallet };
}

/** One approval per asker and key, as identity keeps them. */
export interface RequestedApproval {
  approval: Partial<Approval>;
  payloadJson: string;
  concernedUserId: string;
}

export function askOf(
  known: Map<string, RequestedApproval>,
  { idempotencyKey, payloadJson, kind, subject, summary, reason, concernedUserId }: AskApprovalRequest,
  call: Call,
) {
  const requester = requireUser(call).userId;
  const at = `${call.tenantId} ${requester} ${idempotencyKey}`;
  const before = known.get(at);
  if (before !== undefined && (before.payloadJson !== payloadJson || before.approval.askedBecause !== reason)) {
    throw new Refusal("IDEMPOTENCY_KEY_REUSED", "this key was used for another request");
  }
  const approvalId = `approval-${known.size + 1}`;
  const service = call.caller;
  const fresh = {
    approvalId,
    kind,
    subject,
    summary,
    status: "PENDING",
    askedBy: requester,
    askedBecause: reason,
    service,
  };
  const { approval } = before ?? { approval: fresh };
  known.set(at, { approval, payloadJson, concernedUserId });
  return approval;
}

/** The first word, and the others. */
function nameOf(name: string) {
  const [firstName = "", ...others] = name.split(" ");
  return { firstName, lastName: others.join(" ") };
}
