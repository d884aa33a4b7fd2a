import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { NewRow } from "../../kernel/outbox/index.js";
import type { rowKinds } from "../row-kinds.js";

const forgetAfterMs = 10 * 60_000;

type Kind = (typeof rowKinds)["forgetUnaskedRefund" | "forgetUnaskedClosing" | "forgetUnaskedEnding"];

/**
 * What is committed before an approval is asked for has this beside it: whoever asks may die in
 * between and not come again, and nobody would be there to decide.
 */
export const unaskedRow = (call: Call, kind: Kind, aggregate: string, payload: Record<string, unknown>): NewRow => ({
  tenantId: call.tenantId,
  aggregate,
  seq: 1,
  kind,
  payload,
  interactionId: call.interactionId,
  actor: requireUser(call).userId,
  dueAt: new Date(Date.now() + forgetAfterMs),
});
