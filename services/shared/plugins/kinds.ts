/** What a partner does for a tenant. A kind is listed once the service that owns it resolves it. */
export const pluginKinds = ["PAYOUT", "EMAIL", "SMS"] as const;
export type PluginKind = (typeof pluginKinds)[number];

interface KindRules {
  /** Enabling and changing it takes two people. */
  movesMoney: boolean;
  /** It is routed by corridor and method. */
  isRouted: boolean;
}

export const kindRules: Readonly<Record<PluginKind, KindRules>> = {
  PAYOUT: { movesMoney: true, isRouted: true },
  EMAIL: { movesMoney: false, isRouted: false },
  SMS: { movesMoney: false, isRouted: false },
};
