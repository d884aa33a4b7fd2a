import { passwordChangeScope } from "../../kernel/tokens/user-tokens.js";
import type { UserRecord } from "../domain/people.js";
import { accessTokenIdOf, encodeRefreshToken, type RefreshLink } from "../domain/refresh-tokens.js";
import { permissionsOf } from "../domain/roles.js";
import type { SessionRecord } from "../domain/sessions.js";
import { accessTokenLifetimeS, makeAccessToken } from "./access-tokens.js";
import type { Keyring } from "./keyring.js";

/** What login and refresh hand out. */
export interface IssuedSession {
  accessToken: string;
  expiresInS: number;
  refreshToken: string;
  user: UserRecord;
  permissions: readonly string[];
}

/**
 * The one answer that belongs to the newest link of a session's family: its tokens are computed, so
 * a repeat is the same byte for byte. Throws where a key of the session is gone.
 */
export function issueSession(
  keyring: Pick<Keyring, "accessKeyOf" | "refreshKeyOf">,
  tenantId: string,
  user: UserRecord,
  session: SessionRecord,
): IssuedSession {
  const { accessKeyId, refreshKeyId, rotatedAt } = session;
  const accessKey = keyring.accessKeyOf(accessKeyId);
  const refreshKey = keyring.refreshKeyOf(refreshKeyId);
  if (!accessKey || !refreshKey) throw new Error(`session ${session.sessionId} names a key that is gone`);
  const link: RefreshLink = { keyId: refreshKeyId, family: session.sessionId, counter: session.counter };
  const tokenId = accessTokenIdOf(refreshKey, tenantId, link);
  return {
    accessToken: makeAccessToken({ keyId: accessKeyId, key: accessKey }, user, {
      tenantId,
      sessionId: session.sessionId,
      tokenId,
      issuedAt: rotatedAt,
      ...(user.passwordForOneSignIn === undefined ? {} : { scopes: [passwordChangeScope] }),
    }),
    expiresInS: accessTokenLifetimeS,
    refreshToken: encodeRefreshToken(refreshKey, tenantId, link),
    user,
    permissions: permissionsOf(user.role),
  };
}
