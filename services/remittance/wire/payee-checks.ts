import type { PayeeVerdict as WireVerdict } from "../../../proto/gen/remittance/v1/remittance.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import type { PayeeVerdict } from "../domain/payee-check.js";

export function payeeVerdictToWire({ methods: _methods, ...verdict }: PayeeVerdict): WirePartial<WireVerdict> {
  return { accountName: "", acceptedBy: "", ...verdict };
}
