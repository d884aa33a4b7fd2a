import { Role } from "../../../proto/gen/identity/v1/identity.js";
import type { BranchCashServiceDefinition } from "../../../proto/gen/wallet/v1/branch_cash.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { findStaffUser } from "../../platform/neighbours/staff-users.js";
import { house } from "../domain/vault.js";
import { assignmentToWire } from "../wire/branch-assignments.js";
import { assertBranch } from "./branches.js";
import type { WalletDeps } from "./deps.js";

/** Who works at which branch. */
export function branchAssignmentHandlers({ store, identity, remittance, clock }: WalletDeps) {
  /**
   * Whoever has left is put back to the house all the same. Refuses INVALID_INPUT for who has no
   * till.
   */
  async function assertHolder(userId: string, branch: string, call: Call): Promise<void> {
    const found = await findStaffUser(identity, userId, call);
    const isHolder = found?.role === Role.ROLE_CASHIER || found?.role === Role.ROLE_AGENT;
    if (!isHolder) throw invalidInput("userId", "must be a cashier or an agent");
    if (found.disabled && branch !== house) throw invalidInput("userId", "must be somebody who can log in");
  }

  return {
    /**
     * Refuses INVALID_INPUT for a branch that is not there, STATE_CONFLICT while they have a till
     * open: its cash is of the branch that filled it.
     */
    async putBranchAssignment(request, call) {
      const userId = textFromWire(request.userId, "userId");
      const branch = await assertBranch({ remittance }, request.branchCode, "branchCode", call);
      await assertHolder(userId, branch, call);
      const assignment = { userId, branch, assignedBy: requireUser(call).userId, assignedAt: clock.now() };
      const wallet = store.forTenant(call.tenantId);
      await wallet.openAssignment(userId);
      await store.transaction(
        async (session) => {
          await wallet.assign(assignment, session);
          const open = await wallet.findOpenTill(userId, session);
          if (open === undefined || open.branch === branch) return true;
          throw new Refusal("STATE_CONFLICT", `their till in ${open.currency} is open: it is closed first`);
        },
        async () => (await wallet.branchOf(userId)) === branch || undefined,
      );
      return { assignment: assignmentToWire(assignment) };
    },

    async listBranchAssignments(request, call) {
      const size = request.pageSize || 20;
      if (size < 1 || size > 100) throw invalidInput("pageSize", "must be 1 to 100");
      const branch = textFromWire(request.branchCode, "branchCode", { minimum: 0, maximum: 64 });
      const cursor = textFromWire(request.cursor, "cursor", { minimum: 0 });
      const all = await store.forTenant(call.tenantId).listAssignments(branch, cursor, size + 1);
      const assignments = all.slice(0, size);
      return {
        assignments: assignments.map(assignmentToWire),
        nextCursor: all.length > size ? (assignments.at(-1)?.userId ?? "") : "",
      };
    },
  } satisfies Partial<Handlers<BranchCashServiceDefinition>>;
}
