import type { Clock } from "../../kernel/time/clock.js";
import { networkOf } from "../../kernel/text/client-network.js";
import type { Keyring } from "./keyring.js";
import { macOf } from "./sealing.js";
import type { IdentityStore } from "../store/index.js";
import type { UserRecord } from "../domain/people.js";

const retentionMs = 90 * 86_400_000;
// A day's precision is enough, and spares most log-ins the write.
const notedEveryMs = 86_400_000;

export type KnownPlaces = ReturnType<typeof createKnownPlaces>;

/**
 * Places (networks) that somebody has signed in to an account from, within 90 days. Guesses from
 * elsewhere do not shut these out. What is kept is a keyed hash of account and place: it says where
 * somebody was only to who knows both and has the key.
 */
export function createKnownPlaces(deps: { store: IdentityStore; keyring: Pick<Keyring, "macKey">; clock: Clock }) {
  const { store, keyring, clock } = deps;

  const idOf = (tenantId: string, emailKey: string, ipAddress: string) =>
    macOf(keyring, "known place", tenantId, emailKey, networkOf(ipAddress)).toString("base64url");

  return {
    /** The same work for an account that there is not. */
    async isKnown(tenantId: string, emailKey: string, ipAddress: string): Promise<boolean> {
      if (ipAddress === "") return false;
      const found = await store.forTenant(tenantId).findKnownPlace(idOf(tenantId, emailKey, ipAddress));
      return found !== undefined && found.expiresAt > clock.now();
    },

    /** After a whole log-in, second factor and all. */
    async note(tenantId: string, user: UserRecord, ipAddress: string): Promise<void> {
      if (ipAddress === "") return;
      const now = clock.now().getTime();
      const place = { placeId: idOf(tenantId, user.emailKey, ipAddress), userId: user.userId };
      const expiresAt = new Date(now + retentionMs);
      const stale = new Date(now + retentionMs - notedEveryMs);
      await store.forTenant(tenantId).putKnownPlace(place, expiresAt, stale);
    },
  };
}
