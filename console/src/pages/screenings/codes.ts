import type { exemptionStates, listStatuses } from "../../generated/enums";
import type { Tone } from "../../ui/badge";

export const listTones: Readonly<Record<(typeof listStatuses)[number], Tone>> = {
  ACTIVE: "good",
  WAITING: "warn",
  LOADING: "accent",
  FAILED: "bad",
  SUPERSEDED: "neutral",
};
export const exemptionTones: Readonly<Record<(typeof exemptionStates)[number], Tone>> = {
  VALID: "accent",
  OVER: "neutral",
  VOID: "warn",
  ENDED: "neutral",
};
