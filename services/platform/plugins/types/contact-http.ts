import type { PluginManifest } from "../manifest.js";
import { httpPartnerConfiguration, partnerApiKey } from "./http-partner.js";

// Its checks ask about contacts that are nobody's, so it needs no test system.
const { testUrl: _testUrl, ...untested } = httpPartnerConfiguration.properties;

/** Who knows whether an e-mail address or a phone number is somebody's: docs/plugins.md. */
export const contactHttp: PluginManifest = {
  name: "contact-http",
  kind: "CONTACT_VERIFICATION",
  connector: "json-http",
  title: "Verification of e-mail addresses and phone numbers over HTTP",
  version: "1.0.0",
  capabilities: [],
  configuration: {
    ...httpPartnerConfiguration,
    properties: { ...untested, timeoutMs: { ...httpPartnerConfiguration.properties.timeoutMs, default: 5000 } },
  },
  secrets: [partnerApiKey],
  hasCallbacks: false,
  isCertified: true,
};
