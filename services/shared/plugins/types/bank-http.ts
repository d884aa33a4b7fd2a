import type { PluginManifest } from "../manifest.js";
import { httpPartnerConfiguration, partnerApiKey } from "./http-partner.js";

/** Our own contract for banks: docs/plugins.md. */
export const bankHttp: PluginManifest = {
  name: "bank-http",
  kind: "BANK",
  title: "Bank by Manilla's HTTP contract",
  version: "1.0.0",
  capabilities: ["account-checks", "bvn-lookups", "transfers", "credits"],
  configuration: httpPartnerConfiguration,
  fixedOnceEnabled: ["account"],
  secrets: [partnerApiKey],
  hasCallbacks: false,
  isCertified: true,
};
