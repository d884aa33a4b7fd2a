import type { Installation } from "./installations.js";
import { pluginTypeOf } from "./types/index.js";

/** Of 2 an order says who pays, who is paid and why: docs/plugins.md. */
export type PayoutContract = 1 | 2;

/**
 * The contract that a tenant's payout partner speaks. A bank of files speaks 2: the format has had
 * a place for all of it from the first, and nobody need learn it.
 */
export function payoutContractOf({
  type,
  configuration,
}: Pick<Installation, "type" | "configuration">): PayoutContract {
  if (pluginTypeOf(type)?.connector === "payout-files") return 2;
  return configuration["contract"] === 2 ? 2 : 1;
}
