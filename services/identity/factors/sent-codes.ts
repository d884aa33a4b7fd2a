import type { Connection } from "mongoose";
import { v7 as uuidv7 } from "uuid";
import { CodeChannel } from "../../../proto/gen/identity/v1/second_factors.js";
import type { Clock } from "../../shared/clocks/clock.js";
import type { Call } from "../../shared/grpc/context.js";
import { inTransaction } from "../../shared/mongo/transaction.js";
import type { Outbox } from "../../shared/outbox/index.js";
import { invalidInput } from "../../shared/refusal.js";
import { maskAddress } from "../domain/factors.js";
import { messageRule } from "../domain/throttle-rules.js";
import type { IdentityStore } from "../store/index.js";
import type { Throttle } from "../credentials/throttle.js";
import type { UserRecord } from "../domain/people.js";

const codeLifetimeMs = 5 * 60_000;

export type SentCodes = ReturnType<typeof createSentCodes>;

/** Channel of a code that is to be sent. Refuses INVALID_INPUT. */
export function channelFromWire(channel: CodeChannel): "EMAIL" | "SMS" {
  if (channel === CodeChannel.CODE_CHANNEL_SMS) return "SMS";
  if (channel === CodeChannel.CODE_CHANNEL_EMAIL) return "EMAIL";
  throw invalidInput("channel", "must be EMAIL or SMS");
}

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
    /** A code that is good for what the digest says, once, within 5 minutes. Refuses INVALID_INPUT, RATE_LIMITED. */
    async send(
      user: UserRecord,
      { channel, digest, ...what }: { channel: "EMAIL" | "SMS"; digest: string; kind: string; payload: object },
      call: Call,
    ): Promise<{ expiresAt: Date; sentTo: string }> {
      const to = channel === "SMS" ? (user.customer?.phoneNumber ?? "") : user.email;
      if (to === "") throw invalidInput("channel", "there is no phone number on file");
      const { tenantId, interactionId } = call;
      const counted = await throttle.begin({ name: `code/${tenantId}/${user._id}`, rule: messageRule });
      await counted.failed();
      const now = clock.now();
      const expiresAt = new Date(now.getTime() + codeLifetimeMs);
      const _id = uuidv7();
      const ofTenant = store.forTenant(tenantId);
      const row = {
        tenantId,
        aggregate: `payment-code:${_id}`,
        seq: 1,
        kind: what.kind,
        // Neither the code nor the address: both are found by the relay.
        payload: { codeId: _id, channel, ...what.payload },
        interactionId,
        actor: user._id,
      };
      const code = { _id, userId: user._id, binding: digest, tries: 0, createdAt: now, expiresAt };
      try {
        await inTransaction(
          db,
          async (session) => {
            await ofTenant.insertSentCode(code, session);
            await outbox.add(row, session);
            return true;
          },
          { readBack: async () => ((await ofTenant.findSentCodeById(_id)) ? true : undefined) },
        );
      } catch (error) {
        // Nothing was written (or our client was closed at the commit) and nothing is sent: whoever tries again has not had one yet.
        await counted.takenBack();
        throw error;
      }
      outbox.wake();
      return { expiresAt, sentTo: maskAddress(to) };
    },
  };
}
