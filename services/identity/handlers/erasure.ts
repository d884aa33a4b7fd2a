import type { Connection } from "mongoose";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import type { Clock } from "../../shared/clock.js";
import { actorOf, type Call } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import type { Idempotency } from "../../shared/idempotency/index.js";
import { inTransaction } from "../../shared/mongo/transaction.js";
import { invalidInput, Refusal } from "../../shared/refusal.js";
import { parseName } from "../domain/people.js";
import type { Revocations } from "../revocations.js";
import type { IdentityStore } from "../store/store.js";

const batch = 100;
const dayMs = 86_400_000;

export function erasureHandlers(deps: {
  db: Connection;
  store: IdentityStore;
  idempotency: Idempotency;
  revocations: Revocations;
  clock: Clock;
}): Pick<Handlers<IdentityServiceDefinition>, "eraseCustomer" | "applyRetention"> {
  const { db, store, idempotency, revocations, clock } = deps;

  async function erase(call: Call, tenantId: string, customerId: string, reason: string): Promise<Date> {
    const ofTenant = store.forTenant(tenantId);
    const known = await ofTenant.findCustomer({ customerId });
    if (known === null) throw new Refusal("CUSTOMER_NOT_FOUND", "there is no such customer");
    const userId = known._id;
    const at = clock.now();
    const revocation = revocations.ofUser(userId);
    const answers = await ofTenant.listPersonalAnswers(userId);
    const isFirst = known.erasedAt === undefined;
    const erased = await inTransaction(
      db,
      async (session) => {
        const after = await ofTenant.eraseCustomer(customerId, at, actorOf(call), reason, session);
        await ofTenant.eraseSessions(userId, session);
        await ofTenant.deleteApiTokensOf(userId, session);
        await ofTenant.putRevocations([revocation], session);
        for (const { caller, operation, key } of answers) {
          await idempotency.forgetAnswer({ tenantId, caller, operation, key }, session);
        }
        await ofTenant.deletePersonalAnswers(userId, session);
        const noted = { at, actor: actorOf(call), action: "customer.erase", subject: userId, reason };
        if (isFirst) await ofTenant.noteAudit({ ...noted, interactionId: call.interactionId }, session);
        return after;
      },
      { readBack: async () => undefined },
    );
    await revocations.publish(revocation);
    await revocations.endSessionsOf(tenantId, userId, "the customer was erased");
    for (const { caller, operation, key } of answers) {
      await idempotency.dropCached({ tenantId, caller, operation, key });
    }
    return erased!.erasedAt!;
  }

  return {
    async eraseCustomer({ customerId, reason }, call) {
      return { erasedAt: await erase(call, call.tenantId, customerId, parseName(reason, "reason")) };
    },

    async applyRetention({ disabledForDays }, call) {
      if (disabledForDays < 1 || disabledForDays > 36_500) throw invalidInput("disabledForDays", "must be 1 to 36500");
      const before = new Date(clock.now().getTime() - disabledForDays * dayMs);
      const due = await store.across.listCustomersDisabledBefore(before, batch);
      for (const { tenantId, customer } of due) {
        await erase(call, tenantId, customer!.id, `disabled for ${disabledForDays} days`);
      }
      return { erased: due.length };
    },
  };
}
