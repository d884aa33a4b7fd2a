import type { Connection } from "mongoose";
import { v7 as uuidv7 } from "uuid";
import type { Clock } from "../../kernel/time/clock.js";
import type { Call } from "../../kernel/grpc/context.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import { invalidInput } from "../../kernel/refusal.js";
import { maskAddress } from "../domain/factors.js";
import { messageRule } from "../domain/throttle-rules.js";
import { sentCodeRow, type CodeUse } from "../jobs/sent-codes.js";
import type { IdentityStore } from "../store/index.js";
import type { Throttle } from "../credentials/throttle.js";
import type { UserRecord } from "../domain/people.js";

const codeLifetimeMs = 5 * 60_000;

export type SentCodes = ReturnType<typeof createSentCodes>;

/** Has codes sent to contacts that count. */
export function createSentCodes(deps: {
  db: Connection;
  store: IdentityStore;
  outbox: Outbox;
  throttle: Throttle;
  clock: Clock;
}) {
  const { db, store, outbox, throttle, clock } = deps;
  return {
    /**
     * A code that is good for what the digest says, once, within 5 minutes. Refuses INVALID_INPUT,
     * RATE_LIMITED.
     */
    async send(
      user: UserRecord,
      { channel, digest, use }: { channel: "EMAIL" | "SMS"; digest: string; use: CodeUse },
      call: Call,
    ): Promise<{ expiresAt: Date; sentTo: string }> {
      const to = channel === "SMS" ? (user.customer?.phoneNumber ?? "") : user.email;
      if (to === "")
        throw invalidInput("channel", `there is no ${channel === "SMS" ? "phone number" : "e-mail address"} on file`);
      const { tenantId, interactionId } = call;
      const counted = await throttle.begin({ name: `code/${tenantId}/${user.userId}`, rule: messageRule });
      await counted.failed();
      const now = clock.now();
      const expiresAt = new Date(now.getTime() + codeLifetimeMs);
      const codeId = uuidv7();
      const ofTenant = store.forTenant(tenantId);
      const row = sentCodeRow({ tenantId, interactionId, actor: user.userId }, { codeId, channel, use });
      const code = { codeId, userId: user.userId, binding: digest, tries: 0, createdAt: now, expiresAt };
      try {
        await inTransaction(
          db,
          async (session) => {
            await ofTenant.insertSentCode(code, session);
            await outbox.add(row, session);
            return true;
          },
          { readBack: async () => ((await ofTenant.findSentCodeById(codeId)) ? true : undefined) },
        );
      } catch (error) {
        // No code was kept or sent (also where our client closed at the commit), so this try does
        // not count.
        await counted.takenBack();
        throw error;
      }
      outbox.wake();
      return { expiresAt, sentTo: maskAddress(to) };
    },
  };
}
