import { v7 as uuidv7 } from "uuid";
import type { Approval, ApprovalRequest } from "../../platform/approvals/approvals.js";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { fingerprintOfChange, type AskedChange } from "../domain/asked-change.js";
import type { AskedChangeStore } from "../store/asked-changes.js";
import type { Session } from "../store/index.js";
import type { RemittanceDeps } from "./deps.js";

type Question = Omit<ApprovalRequest, "idempotencyKey" | "subject" | "payload">;

/**
 * Stores a change that waits and asks for it; the same question again is the same one. Refuses
 * FORBIDDEN where its asker may not.
 */
export async function askForChange<C extends AskedChange>(
  { store, clock, approvals }: Pick<RemittanceDeps, "store" | "clock" | "approvals">,
  {
    changes,
    of,
    content,
    question,
  }: {
    changes: AskedChangeStore<C>;
    /** Begins the approval's subject. */
    of: string;
    content: Omit<C, keyof AskedChange>;
    question: () => Promise<Question>;
  },
  call: Call,
): Promise<Approval> {
  const askedBy = actorOf(call);
  const fingerprint = fingerprintOfChange(askedBy, content);
  const known = (session?: Session) => changes.find({ fingerprint, status: "ASKED" }, session);
  const { changeId } = await store.transaction<C>(
    async (session) => {
      const requested = await known(session);
      if (requested !== undefined) return requested;
      const asked = { changeId: uuidv7(), fingerprint, askedBy, askedAt: clock.now(), status: "ASKED" } as const;
      const fresh = { ...content, ...asked } as unknown as C;
      await changes.insert(fresh, session);
      return fresh;
    },
    () => known(),
  );
  crashPoint("remittance.change.asked");
  const subject = `${of}:${changeId}`;
  const asked = { ...(await question()), idempotencyKey: subject, subject, payload: { changeId } };
  return approvals.askAndNote(call, asked, (noted) =>
    changes.note(changeId, "approvalId" in noted ? noted : { status: "REFUSED" }),
  );
}
