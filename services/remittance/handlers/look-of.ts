import { v7 as uuidv7 } from "uuid";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { RecipientLook } from "../domain/recipient-look.js";

/** What is kept of a look at a sender's recipients. */
export function lookOf(
  call: Call,
  { customerId, what, code, at }: Pick<RecipientLook, "customerId" | "what" | "code" | "at">,
): RecipientLook {
  const { userId: by, role } = requireUser(call);
  const look = { lookId: uuidv7(), customerId, by, role, what, at, interactionId: call.interactionId };
  return code === undefined ? look : { ...look, code };
}
