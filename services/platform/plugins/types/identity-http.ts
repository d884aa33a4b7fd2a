import type { PluginManifest } from "../manifest.js";
import { httpPartnerConfiguration, partnerApiKey } from "./http-partner.js";

/** Who knows whether a person is who their document says: docs/plugins.md. */
export const identityHttp: PluginManifest = {
  name: "identity-http",
  kind: "IDENTITY_CHECK",
  connector: "json-http",
  title: "Identity check over HTTP",
  version: "1.0.0",
  capabilities: [],
  configuration: {
    ...httpPartnerConfiguration,
    properties: {
      ...httpPartnerConfiguration.properties,
      timeoutMs: { ...httpPartnerConfiguration.properties.timeoutMs, default: 5000 },
    },
  },
  secrets: [partnerApiKey],
  hasCallbacks: false,
  isCertified: true,
};
