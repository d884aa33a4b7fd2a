import type { Tone } from "../../ui/badge";

export const settlementTones: Readonly<Record<string, Tone>> = {
  PROPOSING: "neutral",
  PROPOSED: "warn",
  APPROVED: "accent",
  POSTED: "good",
  REFUSED: "bad",
  REVERSED: "neutral",
};
