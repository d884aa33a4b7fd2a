import type { RefusalCode, RefusalDetails } from "../../shared/refusal.js";

/** A refusal that something ended with. */
export interface KeptRefusal {
  readonly code: RefusalCode;
  readonly message: string;
  readonly details?: RefusalDetails;
}
