import type { Session } from "../../../proto/gen/identity/v1/identity.js";
import type { IssuedSession } from "../credentials/issued-sessions.js";
import { userToWire } from "./people.js";

export function sessionToWire(session: IssuedSession): Session {
  const { accessToken, expiresInS, refreshToken, user, permissions } = session;
  return { accessToken, expiresInS, refreshToken, user: userToWire(user), permissions: [...permissions] };
}
