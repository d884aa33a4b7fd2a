import { randomUUID } from "node:crypto";
import { ApprovalOutcomeServiceDefinition } from "../../proto/gen/identity/v1/approvals.js";
import { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import type { GrpcDefinition } from "../../services/kernel/grpc/definition.js";
import { parseDay } from "../../services/ledger/domain/days.js";
import { closeDays } from "./close-days.js";
import { decideAsForeseen } from "./foreseen.js";
import { createLedgerFixture, tenantCalls, type WireTransfer } from "./ledger-fixture.js";
import { createFaults } from "./rpc-faults.js";
import { createStandInIdentity } from "./stand-in-identity.js";

/** A real ledger whose identity is in memory: what people write and settle, and who approves it. */
export async function createBooksFixture(name: string, env: Record<string, string> = {}) {
  const fixture = await createLedgerFixture(name);
  const identity = createStandInIdentity(createFaults());
  const address = await fixture.network.standIn("identity", IdentityServiceDefinition, identity.handlers);
  const ledger = await fixture.start({ IDENTITY_ADDRESS: address, ...env }, { pollMs: 50, identityCacheMs: 1 });
  const client = <Def extends GrpcDefinition>(definition: Def, as: "gateway" | "remittance" = "gateway") =>
    fixture.network.client(definition, "ledger", ledger.port, as);
  const outcomes = fixture.network.client(ApprovalOutcomeServiceDefinition, "ledger", ledger.port, "identity");
  const remittance = fixture.network.client(LedgerServiceDefinition, "ledger", ledger.port, "remittance");
  const lookUp = fixture.network.client(LedgerServiceDefinition, "ledger", ledger.port, "operator");

  return {
    ...fixture,
    ledger,
    identity,
    client,

    /** A fresh tenant with its managers' calls. */
    tenant() {
      const tenant = tenantCalls();
      const { tenantId } = tenant;
      const as = (userId = "manager-1", role: "MANAGER" | "AGENT" = "MANAGER") =>
        tenant.call({ user: { tenantId, role, userId } });
      return {
        ...tenant,
        as,

        /** How identity tells of a decision that somebody else made. */
        async decide(approvalId: string, status: "APPROVED" | "REFUSED" = "APPROVED", decidedBecause = "as agreed") {
          const asked = identity.state.approvals.find(({ approval }) => approval.approvalId === approvalId)!;
          const decided = { status, decidedBy: "manager-2", decidedBecause, decidedAt: new Date() };
          const request = { approval: { ...asked.approval, ...decided }, payloadJson: asked.payloadJson };
          return decideAsForeseen(outcomes, request, tenant.call());
        },

        /** Accounts of remittance. */
        async openRemittance(...wanted: { code: string; currency: string; accountId?: string }[]) {
          const accounts = wanted.map(({ code, currency, accountId = `${code}:${currency}` }) => {
            const metadata: Record<string, string> = code === "partner_settlement" ? { partner: "operator" } : {};
            return { accountId, code, currency, name: accountId, metadata };
          });
          await remittance.createAccounts({ accounts }, tenant.call());
        },

        /** One linked group of remittance's; throws where it is refused. */
        async postAsRemittance(...transfers: WireTransfer[]) {
          const { results } = await remittance.postTransfers(
            { groups: [{ transfers }], createdBy: "remittance" },
            tenant.call(),
          );
          const posted = results[0]?.posted;
          if (posted === undefined) throw new Error(JSON.stringify(results[0]?.refused));
          return posted;
        },

        /** Credits less debits, minor units; undefined for no such account. */
        async creditMinor(accountId: string): Promise<bigint | undefined> {
          const { accounts } = await lookUp.getAccounts({ accountIds: [accountId] }, tenant.call());
          const [account] = accounts;
          return account && account.creditsPostedMinor - account.debitsPostedMinor;
        },

        closeThrough: (day: string) => closeDays(fixture.database.db, tenantId, parseDay(day)!),
        key: () => randomUUID(),
      };
    },
  };
}

export type BooksFixture = Awaited<ReturnType<typeof createBooksFixture>>;
export type BooksTenant = ReturnType<BooksFixture["tenant"]>;
