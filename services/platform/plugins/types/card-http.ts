import type { PluginManifest } from "../manifest.js";
import { httpPartnerConfiguration, partnerApiKey } from "./http-partner.js";

/** Our own contract for card acquirers: docs/plugins.md. */
export const cardHttp: PluginManifest = {
  name: "card-http",
  kind: "CARD",
  connector: "card-http",
  title: "Card acquirer by Manilla's HTTP contract",
  version: "1.0.0",
  capabilities: ["charges", "stored-cards"],
  configuration: httpPartnerConfiguration,
  fixedOnceEnabled: ["url", "account"],
  secrets: [partnerApiKey],
  hasCallbacks: false,
  isCertified: true,
};
