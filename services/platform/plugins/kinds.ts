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
  "PAYEE_CHECK",
] as const;
export type PluginKind = (typeof pluginKinds)[number];

/** What speaks to partners of a kind: the manifest of a type names one of its kind's. */
export const connectors = {
  PAYOUT: ["payout-http", "payout-files"],
  BANK: ["bank-http"],
  CARD: ["card-http"],
  FX_RATES: ["rates-json", "rates-ecb"],
  EMAIL: ["mail-server"],
  SMS: ["sms-request"],
  CONTACT_VERIFICATION: ["json-http"],
  SCREENING_LIST: ["list-files"],
  IDENTITY_CHECK: ["json-http"],
  PAYEE_CHECK: ["json-http"],
} as const satisfies Readonly<Record<PluginKind, readonly string[]>>;
export type ConnectorOf<Kind extends PluginKind> = (typeof connectors)[Kind][number];

/** Services that call partners. */
type Caller = "remittance" | "wallet" | "lending" | "events" | "identity" | "compliance";

/** What a partner of a kind has in its hands: each of them takes two people, and no API token. */
export const trusts = ["MONEY", "CREDENTIALS", "VERDICTS"] as const;
export type Trust = (typeof trusts)[number];

interface KindRules {
  /** Money or its price; what signs people in and their payments; who passes and who does not. */
  trustedWith: Trust;
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
  PAYOUT: { trustedWith: "MONEY", isRouted: true, owner: "remittance", callers: ["remittance"] },
  EMAIL: {
    trustedWith: "CREDENTIALS",
    isRouted: false,
    owner: "events",
    callers: ["events", "identity", "compliance"],
  },
  SMS: { trustedWith: "CREDENTIALS", isRouted: false, owner: "events", callers: ["events", "identity", "compliance"] },
  FX_RATES: { trustedWith: "MONEY", isRouted: false, owner: "remittance", callers: ["remittance"] },
  BANK: { trustedWith: "MONEY", isRouted: false, endsThere: true, owner: "wallet", callers: ["wallet", "lending"] },
  CARD: { trustedWith: "MONEY", isRouted: false, endsThere: true, owner: "wallet", callers: ["wallet", "lending"] },
  CONTACT_VERIFICATION: { trustedWith: "VERDICTS", isRouted: false, owner: "compliance", callers: ["compliance"] },
  SCREENING_LIST: { trustedWith: "VERDICTS", isRouted: false, owner: "compliance", callers: ["compliance"] },
  IDENTITY_CHECK: { trustedWith: "VERDICTS", isRouted: false, owner: "compliance", callers: ["compliance"] },
  PAYEE_CHECK: { trustedWith: "VERDICTS", isRouted: false, owner: "remittance", callers: ["remittance"] },
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
