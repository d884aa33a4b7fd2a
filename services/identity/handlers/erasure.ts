import { v7 as uuidv7 } from "uuid";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { waitingEvents } from "../../platform/events/erasure.js";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { isHeld } from "../../kernel/mongo/held-tenants.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { personalDataKeepers, retainedUntil, type ErasureRecord } from "../domain/erasure.js";
import type { CustomerRecord } from "../domain/people.js";
import { erasureRow } from "../jobs/erasure.js";
import { personalRows } from "../store/personal-rows.js";
import { erasureToWire } from "../wire/erasure.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import { createAssertSettled, Unsettled } from "./settled-money.js";
import { tenantOf } from "./tenant-of.js";
import type { HandlerDeps } from "./deps.js";

const batch = 100;
// Of one person: they became a customer, and what was asked for on them.
const mostWaiting = 1_000;
const dayMs = 86_400_000;
/** Below what the operator's call waits; another call goes on. */
const maxRetentionMs = 200_000;

export function erasureHandlers(deps: HandlerDeps) {
  const { db, store, idempotency, revocations, outbox, clock } = deps;
  const assertSettled = createAssertSettled(deps.money);
  const waiting = waitingEvents(db);
  const rowsOfPerson = personalRows(db);

  /**
   * What the services will be told. The relationship ended when the customer was disabled, if they
   * were before.
   */
  async function begun(call: Call, tenantId: string, known: CustomerRecord, at: Date, reason: string) {
    const { userId, customer, disabled } = known;
    const { preference } = await tenantOf(store, tenantId);
    const erasure: ErasureRecord = {
      erasureId: uuidv7(),
      customerId: customer.id,
      userId,
      at,
      by: actorOf(call),
      reason,
      retainedUntil: retainedUntil(disabled?.at ?? at, preference),
      services: [...personalDataKeepers],
      answers: [],
    };
    const of = { tenantId, userId, customerId: customer.id, interactionId: call.interactionId, actor: actorOf(call) };
    const next = { stage: "AT_ONCE" as const, round: 1, dueAt: at };
    return { erasure, rows: personalDataKeepers.map((service) => erasureRow(of, service, 1, next)) };
  }

  async function erase(call: Call, tenantId: string, customerId: string, reason: string): Promise<ErasureRecord> {
    const ofTenant = store.forTenant(tenantId);
    const known = await ofTenant.findCustomer({ customerId });
    if (known === undefined) throw new Refusal("CUSTOMER_NOT_FOUND", "there is no such customer");
    const userId = known.userId;
    if ((await ofTenant.findErasure(customerId)) === undefined) {
      await assertSettled(customerId, { tenantId, interactionId: call.interactionId });
    }
    const at = clock.now();
    const revocation = revocations.ofUser(userId);
    const answers = await ofTenant.listPersonalAnswers(userId);
    const { erasure, rows } = await begun(call, tenantId, known, at, reason);
    const stored = await inTransaction(
      db,
      async (session) => {
        const before = await ofTenant.findErasure(customerId, session);
        if (before === undefined) {
          await ofTenant.insertErasure(erasure, session);
          for (const row of rows) await outbox.add(row, session);
        }
        await ofTenant.eraseCustomer(customerId, at, actorOf(call), reason, session);
        await ofTenant.deleteContactChanges(userId, session);
        await ofTenant.eraseSessions(userId, session);
        await ofTenant.eraseKnownPlaces(userId, session);
        await ofTenant.deleteApiTokensOf(userId, session);
        await ofTenant.putRevocations([revocation], session);
        for (const { caller, operation, key } of answers) {
          await idempotency.forgetAnswer({ tenantId, caller, operation, key }, session);
        }
        await ofTenant.deletePersonalAnswers(userId, session);
        await ofTenant.deleteTransferParties(customerId, session);
        await rowsOfPerson.erase(tenantId, known, session);
        await waiting.erase({ tenantId, customerId, userId }, mostWaiting, session);
        const noted = { at, actor: actorOf(call), action: "customer.erase", subject: userId, reason };
        if (before === undefined) await ofTenant.noteAudit({ ...noted, interactionId: call.interactionId }, session);
        return before ?? erasure;
      },
      { readBack: async () => undefined },
    );
    await revocations.publish(revocation);
    await revocations.endSessionsOf(tenantId, userId, "the customer was erased");
    outbox.wake();
    return stored;
  }

  return {
    async eraseCustomer({ customerId, reason }, call) {
      const erasure = await erase(call, call.tenantId, customerId, reasonFromWire(reason));
      return { erasedAt: erasure.at, erasure: erasureToWire(erasure) };
    },

    async getErasure({ customerId }, { tenantId }) {
      const found = await store.forTenant(tenantId).findErasure(customerId);
      if (found === undefined) throw new Refusal("NOT_FOUND", "no such customer was erased");
      return { erasure: erasureToWire(found) };
    },

    async applyRetention({ disabledForDays }, call) {
      if (disabledForDays < 1 || disabledForDays > 36_500) throw invalidInput("disabledForDays", "must be 1 to 36500");
      const before = new Date(clock.now().getTime() - disabledForDays * dayMs);
      const until = performance.now() + maxRetentionMs;
      const sum = { erased: 0, unsettled: 0 };
      const faults: unknown[] = [];
      for (let after = ""; performance.now() < until;) {
        const due = await store.across.listCustomersDisabledBefore(before, { after, limit: batch });
        // One that cannot be erased does not keep the others; those of a held tenant wait.
        for (const { tenantId, customer } of due) {
          try {
            await erase(call, tenantId, customer!.id, `disabled for ${disabledForDays} days`);
            sum.erased += 1;
          } catch (error) {
            if (error instanceof Unsettled) sum.unsettled += 1;
            else if (!isHeld(error)) faults.push(error);
          }
        }
        if (due.length < batch) break;
        after = due.at(-1)!._id;
      }
      if (faults.length > 0) throw faults[0];
      return sum;
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}
