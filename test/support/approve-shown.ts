import type { EdgeAnswer, EdgeClient } from "./edge-client.js";

const approvals = "/api/v6/services/admin/approvals";

/** Approves as whoever has looked at what it does; what is refused of looking is the answer. */
export async function approveShown(
  who: Pick<EdgeClient, "send">,
  approvalId: string,
  { reason }: { reason: string },
): Promise<EdgeAnswer> {
  const shown = await who.send("GET", `${approvals}/${approvalId}`);
  if (shown.status !== 200) return shown;
  const digest: unknown = shown.body.data.digest;
  return who.send("POST", `${approvals}/${approvalId}/approve`, { body: { reason, digest: digest ?? "none" } });
}
