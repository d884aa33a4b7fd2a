import { effectText } from "../../platform/approvals/approval-effects.js";
import type { Call } from "../../kernel/grpc/context.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import type { ApprovalRecord, Foreseen } from "../domain/approvals.js";
import type { Foresee } from "../jobs/foresee.js";

/** Of a refusal: the whole is read with the approval. */
const maxShown = 20;

/**
 * What approving does, where it still is what was shown. Refuses INVALID_INPUT without a digest,
 * APPROVAL_CHANGED where it is something else by now, and what whoever carries it out refuses.
 */
export async function shownBy(
  foresee: Foresee,
  known: ApprovalRecord,
  { digest, call, now }: { digest: string; call: Call; now: Date },
): Promise<Foreseen> {
  if (digest === "") throw invalidInput("digest", "is required: of the effects that were shown");
  const foreseen = await foresee(known, call, now);
  if (foreseen.digest !== digest) throw changedSince(foreseen);
  return foreseen;
}

/** The first of what it does now, and the digest with which that may be approved. */
function changedSince({ digest, effects, count }: Foreseen): Refusal {
  const shown = effects.slice(0, maxShown).map((effect) => effectText(effect).slice(0, 200));
  const errors = shown.map((message, index) => ({ path: `effects.${index}`, message }));
  const figures = { digest, effects: String(count) };
  return new Refusal("APPROVAL_CHANGED", "it does something else by now: look at it again", { errors, figures });
}
