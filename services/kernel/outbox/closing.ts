const keepClosedMs = 30 * 24 * 60 * 60_000;

/** The update that closes a row; done and cancelled rows are deleted after 30 days. */
export function closing(state: "DONE" | "CANCELLED" | "DROPPED") {
  const closedAt = new Date();
  const expiry = state === "DROPPED" ? {} : { expiresAt: new Date(closedAt.getTime() + keepClosedMs) };
  return { $set: { state, closedAt, ...expiry }, $unset: { leaseToken: true as const, blocked: true as const } };
}
