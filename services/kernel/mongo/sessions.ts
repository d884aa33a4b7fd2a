import type { ClientSession, Connection, mongo } from "mongoose";

/** Id of a session as a lease stores it. */
export function sessionId(session: ClientSession): mongo.Binary {
  const id = (session.id as { id?: mongo.Binary } | undefined)?.id;
  if (id === undefined) throw new Error("the session is over");
  return id;
}

/**
 * Ends sessions of a process that is gone, and with them the locks of their open transactions;
 * about 0.2 s instead of 5 s.
 */
export async function killSessions(db: Connection, ids: readonly mongo.Binary[]): Promise<void> {
  if (ids.length > 0)
    await db
      .getClient()
      .db("admin")
      .command({ killSessions: ids.map((id) => ({ id })) });
}
