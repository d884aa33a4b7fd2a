import type { PluginManifest } from "../manifest.js";

/** Our own contract for payout connectors: docs/plugins.md. */
export const manillaHttp: PluginManifest = {
  name: "manilla-http",
  kind: "PAYOUT",
  title: "Payout connector by Manilla's HTTP contract",
  version: "1.0.0",
  capabilities: ["batches", "recall", "statement", "windows"],
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
        default: 3000,
        title: "How long an answer is waited for, ms",
      },
    },
  },
  secrets: [
    { name: "apiKey", title: "Key that the partner knows us by", isRequired: true, pattern: "[\\x21-\\x7e]{16,200}" },
    {
      name: "callbackSecret",
      title: "Secret that callbacks are signed with (Standard Webhooks)",
      isRequired: true,
      pattern: "whsec_[A-Za-z0-9+/]{20,}={0,2}",
    },
  ],
  // What was handed over there is asked for there: at another address an order that nobody knows would be paid again.
  fixedOnceEnabled: ["url", "account"],
  hasCallbacks: true,
  isCertified: true,
};
