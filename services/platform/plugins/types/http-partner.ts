import type { PluginSecret } from "../manifest.js";

/** How a partner is reached that speaks one of our contracts over HTTP. */
export const httpPartnerConfiguration = {
  type: "object",
  additionalProperties: false,
  required: ["url"],
  properties: {
    url: { type: "string", format: "uri", isAddress: true, maxLength: 2000, title: "Base URL" },
    testUrl: { type: "string", format: "uri", isAddress: true, maxLength: 2000, title: "Base URL of its test system" },
    account: { type: "string", minLength: 1, maxLength: 100, title: "Our account there" },
    timeoutMs: {
      type: "integer",
      minimum: 100,
      maximum: 30000,
      default: 3000,
      title: "How long an answer is waited for, ms",
    },
  },
} as const;

export const partnerApiKey: PluginSecret = {
  name: "apiKey",
  title: "Key that the partner knows us by",
  isRequired: true,
  pattern: "[\\x21-\\x7e]{16,200}",
};
