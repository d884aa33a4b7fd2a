import type { PluginManifest } from "../manifest.js";
import { httpPartnerConfiguration, partnerApiKey } from "./http-partner.js";

/** Our own contract for payout connectors: docs/plugins.md. */
export const manillaHttp: PluginManifest = {
  name: "manilla-http",
  kind: "PAYOUT",
  connector: "payout-http",
  title: "Payout connector by Manilla's HTTP contract",
  version: "1.0.0",
  capabilities: ["batches", "recall", "statement", "windows"],
  configuration: {
    ...httpPartnerConfiguration,
    properties: {
      ...httpPartnerConfiguration.properties,
      contract: {
        type: "integer",
        minimum: 1,
        maximum: 2,
        title: "Version of the contract: 2 says who pays, who is paid and why; 1 where absent",
      },
    },
  },
  secrets: [
    partnerApiKey,
    {
      name: "callbackSecret",
      title: "Secret that callbacks are signed with (Standard Webhooks)",
      isRequired: true,
      isSent: false,
      pattern: "whsec_[A-Za-z0-9+/]{20,}={0,2}",
    },
  ],
  // What was handed over there is asked for there: at another address an order that
  // nobody knows would be paid again.
  fixedOnceEnabled: ["url", "account"],
  testedAnewFor: ["contract"],
  hasCallbacks: true,
  isCertified: true,
};
