import type { PluginManifest } from "../manifest.js";

/** Who knows whether an e-mail address or a phone number is somebody's: docs/plugins.md. */
export const contactHttp: PluginManifest = {
  name: "contact-http",
  kind: "CONTACT_VERIFICATION",
  title: "Verification of e-mail addresses and phone numbers over HTTP",
  version: "1.0.0",
  capabilities: [],
  configuration: {
    type: "object",
    additionalProperties: false,
    required: ["url"],
    properties: {
      url: { type: "string", format: "uri", maxLength: 2000, title: "Base URL" },
      account: { type: "string", minLength: 1, maxLength: 100, title: "Our account there" },
      timeoutMs: {
        type: "integer",
        minimum: 100,
        maximum: 30000,
        default: 5000,
        title: "How long an answer is waited for, ms",
      },
    },
  },
  secrets: [
    { name: "apiKey", title: "Key that the partner knows us by", isRequired: true, pattern: "[\\x21-\\x7e]{16,200}" },
  ],
  hasCallbacks: false,
  isCertified: true,
};
