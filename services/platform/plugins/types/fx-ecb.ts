import type { PluginManifest } from "../manifest.js";
import { fxPairs, fxSettings } from "./fx-settings.js";

/** The euro foreign exchange reference rates of the European Central Bank, and crosses of them. */
export const fxEcb: PluginManifest = {
  name: "fx-ecb",
  kind: "FX_RATES",
  connector: "rates-ecb",
  title: "Reference rates of the European Central Bank",
  version: "1.0.0",
  capabilities: [],
  configuration: {
    type: "object",
    additionalProperties: false,
    required: ["pairs"],
    properties: {
      pairs: { ...fxPairs, title: "Pairs that are taken, such as EUR-USD or GBP-CHF" },
      url: {
        type: "string",
        format: "uri",
        isAddress: true,
        maxLength: 2_000,
        default: "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml",
        title: "URL",
      },
      ...fxSettings,
      maxAgeDays: {
        type: "integer",
        minimum: 1,
        maximum: 14,
        default: 6,
        title: "The oldest document that counts, days; none is published on weekends and holidays",
      },
    },
  },
  secrets: [],
  hasCallbacks: false,
  isCertified: true,
};
