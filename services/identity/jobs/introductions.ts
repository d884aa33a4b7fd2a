import { setTimeout as sleep } from "node:timers/promises";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { leaveRow } from "../../kernel/outbox/left-rows.js";
import type { Logger } from "../../kernel/process/log.js";
import { passesByItself } from "../../kernel/outbox/patience.js";
import type { ComplianceClient } from "../clients/neighbours.js";
import type { IdentityStore } from "../store/index.js";
import { whoOf } from "./person-changes.js";

export interface IntroductionDeps {
  store: IdentityStore;
  compliance: ComplianceClient;
  log: Logger;
  /** How often it is looked for people of whom compliance was not told, ms. */
  everyMs?: number | undefined;
}

const maxPeople = 100;
const atOnce = 4;
const interactionId = "introductions";

/**
 * Tells compliance once who each customer and person of staff is, so that it compares them with
 * lists: also those who came without a call. Not by rows: a million of them would stand before what
 * others wait for. A mark on the person follows compliance's answer, so any process may be killed
 * at any line, and two may do the same work.
 */
export function startIntroductions({ store, compliance, log, everyMs = 60_000 }: IntroductionDeps) {
  const ending = new AbortController();
  const { signal } = ending;

  const pause = () => sleep(everyMs * (0.9 + Math.random() / 5), undefined, { signal }).catch(() => undefined);

  async function introduce({ userId, tenantId }: { userId: string; tenantId: string }): Promise<void> {
    const ofTenant = store.forTenant(tenantId);
    const user = await ofTenant.findUser(userId);
    if (user === undefined) return;
    if (user.erasedAt === undefined) {
      const { customer, staffRevision = 0 } = user;
      const isStaff = customer === undefined;
      const customerId = isStaff ? userId : customer.id;
      // A change that waits for its turn has this revision or a higher
      // one, and is told all the same.
      const knownRevision = isStaff ? staffRevision : (customer.revision ?? 0);
      const about = { customerId, isStaff, revision: 0, knownRevision, changed: [], proven: [] };
      await compliance.notePersonChange({ ...about, ...whoOf(user) }, outgoing({ tenantId, interactionId, signal }));
      crashPoint("identity.introduced");
    }
    await ofTenant.noteIntroduced(userId);
  }

  /**
   * Everybody who has no mark, once. Whoever could not be told is passed over until the next time.
   */
  async function introduceAll(): Promise<void> {
    for (let after = ""; !signal.aborted;) {
      const batch = await store.across.listNotIntroduced({ after, limit: maxPeople });
      if (batch.length === 0) return;
      const failures: unknown[] = [];
      for (let at = 0; at < batch.length && !signal.aborted; at += atOnce) {
        const results = await Promise.allSettled(batch.slice(at, at + atOnce).map(introduce));
        for (const [index, one] of results.entries()) {
          if (one.status !== "rejected") continue;
          failures.push(one.reason);
          const { userId, tenantId } = batch[at + index]!;
          if (!passesByItself(one.reason)) leaveRow(log, "introductions", { tenantId, userId }, one.reason);
        }
      }
      if (signal.aborted) return;
      if (failures.length > 0)
        log.warn({ err: failures[0], people: failures.length }, "compliance was not told of people");
      // Compliance is away. Those behind have their turn all the same.
      if (failures.length === batch.length) await pause();
      after = batch.at(-1)!.userId;
    }
  }

  async function keep(): Promise<void> {
    while (!signal.aborted) {
      await introduceAll().catch((err: unknown) => log.warn({ err }, "people could not be looked for"));
      await pause();
    }
  }

  const ended = keep();
  return {
    async stop(): Promise<void> {
      ending.abort();
      await ended;
    },
  };
}
