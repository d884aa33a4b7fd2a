import { z } from "zod";
import type { EdgeCall } from "../route.js";

/** What a change waits for; `until` says what holds meanwhile. */
export const waiting = (until: string) =>
  z
    .object({ approvalId: z.string(), status: z.string() })
    .optional()
    .meta({ description: `Where a change waits for another manager: until then ${until}.` });

/** What waits for a second person; the answer is 202 then. */
export function waitingFor(
  { approvalId, approvalStatus }: { approvalId: string; approvalStatus: string },
  call: Pick<EdgeCall, "markWaiting">,
) {
  if (approvalId === "") return undefined;
  call.markWaiting();
  return { approvalId, status: approvalStatus };
}
