import { Refusal } from "../../../kernel/refusal.js";

/** A neighbour's client. Refuses UNAVAILABLE where it is not set up: what needs it waits. */
export function setUp<T>(client: T | undefined, name: "REMITTANCE" | "WALLET"): T {
  if (client === undefined) throw new Refusal("UNAVAILABLE", `${name}_ADDRESS is not set`);
  return client;
}
