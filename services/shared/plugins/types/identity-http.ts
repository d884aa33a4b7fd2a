import type { PluginManifest } from "../manifest.js";

/** Who knows whether a person is who their document says: docs/plugins.md. */
export const identityHttp: PluginManifest = {
  name: "identity-http",
  kind: "IDENTITY_CHECK",
  title: "Identity check over HTTP",
  version: "1.0.0",
  capabilities: [],
  configuration: {
    type: "object",
    additionalProperties: false,
    required: ["url"],
    properties: {
      url: { type: "string", format: "uri", maxLength: 2000, title: "Base URL" },
      testUrl: { type: "string", format: "uri", maxLength: 2000, title: "Base URL of its test system" },
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
