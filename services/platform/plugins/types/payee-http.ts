import type { PluginManifest } from "../manifest.js";
import { httpPartnerConfiguration, partnerApiKey } from "./http-partner.js";

// Somebody waits with an order: after this nobody knows, and it goes on.
const timeoutMs = { ...httpPartnerConfiguration.properties.timeoutMs, maximum: 3000 };

/** Who knows whether an account is a payee's: docs/plugins.md. */
export const payeeHttp: PluginManifest = {
  name: "payee-http",
  kind: "PAYEE_CHECK",
  connector: "json-http",
  title: "Payee check over HTTP",
  version: "1.0.0",
  capabilities: [],
  configuration: {
    ...httpPartnerConfiguration,
    properties: { ...httpPartnerConfiguration.properties, timeoutMs },
  },
  secrets: [partnerApiKey],
  hasCallbacks: false,
  isCertified: true,
};
