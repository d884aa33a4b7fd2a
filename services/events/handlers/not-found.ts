import { Refusal } from "../../kernel/refusal.js";

export function noEndpoint(): Refusal {
  return new Refusal("NOT_FOUND", "no such webhook endpoint");
}

export function noEvent(): Refusal {
  return new Refusal("NOT_FOUND", "no such event");
}
