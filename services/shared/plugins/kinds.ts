/** What a partner does for a tenant. A kind is listed once the service that owns it resolves it. */
export const pluginKinds = [
  "PAYOUT",
  "BANK",
  "CARD",
  "FX_RATES",
  "EMAIL",
  "SMS",
  "CONTACT_VERIFICATION",
  "SCREENING_LIST",
  "IDENTITY_CHECK",
] as const;
export type PluginKind = (typeof pluginKinds)[number];

/** Services that call partners. */
type Caller = "remittance" | "wallet" | "lending" | "events" | "identity" | "compliance";

interface KindRules {
  /** Enabling and changing it takes two people. */
  movesMoney: boolean;
  /** It is routed by corridor and method; what was begun there ends there. */
  isRouted: boolean;
  /** What was begun there ends there although it has no routes. */
  endsThere?: true;
  /** Tests it, takes its callbacks, and says when nothing is under way there any more. */
  owner: "remittance" | "wallet" | "compliance" | "events";
  /** Who is told its configuration and secrets; the owner among them. */
  callers: readonly Caller[];
}

export const kindRules: Readonly<Record<PluginKind, KindRules>> = {
  PAYOUT: { movesMoney: true, isRouted: true, owner: "remittance", callers: ["remittance"] },
  EMAIL: { movesMoney: false, isRouted: false, owner: "events", callers: ["events", "identity", "compliance"] },
  SMS: { movesMoney: false, isRouted: false, owner: "events", callers: ["events", "identity", "compliance"] },
  FX_RATES: { movesMoney: true, isRouted: false, owner: "remittance", callers: ["remittance"] },
  BANK: { movesMoney: true, isRouted: false, endsThere: true, owner: "wallet", callers: ["wallet", "lending"] },
  CARD: { movesMoney: true, isRouted: false, endsThere: true, owner: "wallet", callers: ["wallet", "lending"] },
  CONTACT_VERIFICATION: { movesMoney: false, isRouted: false, owner: "compliance", callers: ["compliance"] },
  SCREENING_LIST: { movesMoney: false, isRouted: false, owner: "compliance", callers: ["compliance"] },
  IDENTITY_CHECK: { movesMoney: false, isRouted: false, owner: "compliance", callers: ["compliance"] },
};

/** Whether a removal waits until each of its callers has said that nothing is under way there. */
export function waitsForCallers(kind: PluginKind): boolean {
  const { isRouted, endsThere = false } = kindRules[kind];
  return isRouted || endsThere;
}

/** The kind of that name; undefined for any other text. */
export function pluginKindOf(text: string): PluginKind | undefined {
  return pluginKinds.find((kind) => kind === text);
}

/** How money is handed over, as routes name it. */
export const routeMethods = ["ACCOUNTPAYMENT", "MOBILE_MONEY", "CASH_PICKUP"] as const;
export type RouteMethod = (typeof routeMethods)[number];
