import type { PluginManifest } from "../manifest.js";
import { fxPairs, fxSettings } from "./fx-settings.js";

/** Rates by our own contract: docs/plugins.md. */
export const fxHttp: PluginManifest = {
  name: "fx-http",
  kind: "FX_RATES",
  connector: "rates-json",
  title: "Rates by Manilla's HTTP contract",
  version: "1.0.0",
  capabilities: [],
  configuration: {
    type: "object",
    additionalProperties: false,
    required: ["url"],
    properties: {
      url: { type: "string", format: "uri", isAddress: true, maxLength: 2_000, title: "URL" },
      pairs: { ...fxPairs, title: "Pairs that are taken, such as USD-NGN; all that it has where there are none" },
      ...fxSettings,
    },
  },
  secrets: [
    { name: "apiKey", title: "Key that the source knows us by", isRequired: true, pattern: "[\\x21-\\x7e]{16,200}" },
  ],
  hasCallbacks: false,
  isCertified: true,
};
