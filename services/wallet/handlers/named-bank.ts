import type { Call } from "../../kernel/grpc/context.js";
import { invalidInput } from "../../kernel/refusal.js";
import type { OwnPartner } from "../../platform/banks/own-partner.js";
import { partnerIdOf } from "../../platform/plugins/partner-accounts.js";
import type { WalletDeps } from "./deps.js";

/**
 * The bank that something arrived at, or is taken to. Who takes new orders by then may be another
 * one, so of several it must be named. Refuses INVALID_INPUT.
 */
export async function namedBank(
  banks: WalletDeps["banks"],
  named: string,
  call: Call,
): Promise<OwnPartner | undefined> {
  const all = await banks.allOf(call.tenantId, call.interactionId);
  const ids = all.map((at) => partnerIdOf(at?.installationId));
  if (named === "" && all.length > 1) throw invalidInput("bank", `must be one of ${ids.join(", ")}`);
  const index = named === "" ? 0 : ids.indexOf(named);
  if (index < 0) throw invalidInput("bank", "is no bank that money can arrive at");
  return all[index];
}
