import { z } from "zod";
import { shown } from "../schema.js";

/** What a change waits for; `until` says what holds meanwhile. */
export const waiting = (until: string) =>
  z
    .object({ approvalId: z.string(), status: shown(z.string(), "PENDING") })
    .optional()
    .meta({ description: `Where a change waits for another manager: until then ${until}.` });

interface Waiting {
  approvalId: string;
  approvalStatus: string;
}

/** Where `approval` lies in a response. */
export const approvalField = {
  approval: {
    from: ({ approvalId, approvalStatus: status }: Waiting) => (approvalId === "" ? undefined : { approvalId, status }),
    to: ({ approvalId, status }: { approvalId: string; status: string }) => ({ approvalId, approvalStatus: status }),
  },
};

/** Whether an answer waits for a second person. */
export const isToApprove = ({ approval }: { approval?: unknown }) => approval !== undefined;
