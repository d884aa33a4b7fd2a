import type { PluginManifest } from "../manifest.js";
import { httpPartnerConfiguration, partnerApiKey } from "./http-partner.js";

/** Our own contract for banks: docs/plugins.md. */
export const bankHttp: PluginManifest = {
  name: "bank-http",
  kind: "BANK",
  connector: "bank-http",
  title: "Bank by Manilla's HTTP contract",
  version: "1.0.0",
  capabilities: ["account-checks", "bvn-lookups", "transfers", "credits"],
  configuration: {
    ...httpPartnerConfiguration,
    properties: {
      ...httpPartnerConfiguration.properties,
      loanBankName: { type: "string", minLength: 1, maxLength: 100, title: "Where loans are repaid to: bank" },
      loanBankCode: { type: "string", minLength: 1, maxLength: 34, title: "Where loans are repaid to: bank code" },
      loanAccountNumber: { type: "string", minLength: 1, maxLength: 34, title: "Where loans are repaid to: account" },
    },
    dependentRequired: {
      loanBankName: ["loanAccountNumber"],
      loanBankCode: ["loanAccountNumber"],
      loanAccountNumber: ["loanBankName", "loanBankCode"],
    },
  },
  fixedOnceEnabled: ["url", "account"],
  booksAt: ["url", "account"],
  secrets: [partnerApiKey],
  hasCallbacks: false,
  isCertified: true,
};
