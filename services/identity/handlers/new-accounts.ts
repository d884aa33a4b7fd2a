import { randomInt } from "node:crypto";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { makeCustomerCode, type UserRecord } from "../domain/people.js";
import type { Creator } from "../domain/roles.js";
import type { TenantStore } from "../store/index.js";

const givenPasswordMs = 7 * 86_400_000;

/** Who creates users here: the user of the call, or the operator's credential. */
export function creatorOf(call: Call): Creator {
  if (call.user === undefined && call.caller === "operator") return "operator";
  return requireUser(call).role;
}

/**
 * Limits a password that somebody else chose, and so knows, to one sign-in. The operator says whose
 * it is: a fixture gives people's own.
 */
export function oneSignInOnly(
  creator: Creator,
  { passwordForOneSignIn: isForOne }: { passwordForOneSignIn: boolean },
  now: Date,
): Pick<UserRecord, "passwordForOneSignIn"> {
  if (creator === "operator" && !isForOne) return {};
  return { passwordForOneSignIn: { until: new Date(now.getTime() + givenPasswordMs) } };
}

/** A code that no customer of the tenant has. */
export async function freeCode(ofTenant: TenantStore): Promise<string> {
  for (;;) {
    const code = makeCustomerCode((below) => randomInt(below));
    if ((await ofTenant.findCustomer({ customerCode: code })) === undefined) return code;
  }
}
