import type { Branch as WireBranch } from "../../../proto/gen/remittance/v1/remittance.js";
import { toAlpha3 } from "../../kernel/codes/countries.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { invalidInput } from "../../kernel/refusal.js";
import type { Branch, BranchContent } from "../domain/payout-point.js";
import { trimmedFromWire } from "../../kernel/text/wire-text.js";
import { allocationFromWire, codeFromWire } from "./fields.js";

/** Refuses INVALID_INPUT. */
export function branchFromWire(branch: WireBranch | undefined): BranchContent {
  if (branch === undefined) throw invalidInput("branch", "is required");
  const at = (name: string) => `branch.${name}`;
  return {
    code: codeFromWire(branch.code, at("code")),
    name: trimmedFromWire(branch.name, at("name"), 200),
    country: toAlpha3(branch.country, at("country")),
    city: trimmedFromWire(branch.city, at("city"), 100, true),
    address: trimmedFromWire(branch.address, at("address"), 300, true),
    phoneNumber: trimmedFromWire(branch.phoneNumber, at("phoneNumber"), 30, true),
    openingHours: trimmedFromWire(branch.openingHours, at("openingHours"), 300, true),
    allocatedTo: allocationFromWire(branch.allocatedTo, at("allocatedTo")),
    enabled: branch.enabled,
  };
}

export const branchToWire = (branch: Branch): WirePartial<WireBranch> => branch;
