import type { EdgeAnswer, EdgeClient } from "./edge-client.js";

const approvals = "/api/v6/services/admin/approvals";

/**
 * Approves as whoever has looked at what it does, and looks again where that has changed meanwhile;
 * what is refused of looking is the answer.
 */
export async function approveShown(
  who: Pick<EdgeClient, "send">,
  approvalId: string,
  { reason }: { reason: string },
): Promise<EdgeAnswer> {
  for (let looks = 1; ; looks += 1) {
    const shown = await who.send("GET", `${approvals}/${approvalId}`);
    if (shown.status !== 200) return shown;
    const digest: unknown = shown.body.data.digest;
    const body = { reason, digest: digest ?? "none" };
    const answer = await who.send("POST", `${approvals}/${approvalId}/approve`, { body });
    if (answer.body?.code !== "APPROVAL_CHANGED" || looks === 3) return answer;
  }
}
