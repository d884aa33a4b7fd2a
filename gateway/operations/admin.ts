import { z } from "zod";
import { writerOf } from "../codec.js";
import { operation } from "../operation.js";
import { text } from "../schema.js";
import {
  ChangedOrganisationPreference,
  KeptPreferenceChange,
  OrganisationPreference,
  OrganisationPreferenceChange,
  PreferenceChange,
} from "../shapes/organisation-preference.js";
import { everyRole, v6 } from "./base.js";
import { isToApprove } from "./waiting.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const changeToWire = writerOf(PreferenceChange);
const base = `${v6}/admin/organisation-preference-management`;

/** §4.3 */
export const fetchOrganisationPreference = operation({
  method: "get",
  path: `${base}/fetch-organisaction-preference`,
  operationId: "fetchOrganisationPreference",
  contract: true,
  tag: "Organisation",
  summary: "Read the organisation's preference",
  access: everyRole,
  scopes: ["organisation:read"],
  answer: OrganisationPreference,
  message: "Organisation preference",
  example: {
    as: "manager@demo.example",
    answer: {
      agentScope: undefined,
      name: "Manilla Demo",
      currencies: ["USD", "NGN", "GBP", "EUR", "KES"],
      countries: ["USA", "GBR", "DEU", "NGA", "KEN"],
      secondFactors: { otp: false, pin: false },
      corsOrigins: [],
      staffTotpRequired: false,
      amountCeilings: [],
      requiredDetails: [],
    },
  },
  rpc: "identity.getOrganisationPreference",
  gives: "tenant",
});

/** Ours: §5.4's tenant and agent configuration. What is absent stays as it is. */
export const changeOrganisationPreference = operation({
  method: "put",
  path: `${base}/change-organisation-preference`,
  operationId: "changeOrganisationPreference",
  tag: "Organisation",
  summary: "Change the organisation's preference; another manager approves what weakens a guard of accounts or money",
  access: ["MANAGER"],
  peopleOnly: "protection",
  headers: { idempotencyKey: "required" },
  body: OrganisationPreferenceChange,
  answer: ChangedOrganisationPreference,
  message: "Organisation preference changed",
  waits: "Change waits for another manager",
  renames: { change: "body", idempotencyKey: "headers.x-idempotency-key" },
  example: {
    as: "manager@demo.example",
    sandbox: true,
    headers: { "x-idempotency-key": "preference-2026-11-21" },
    body: {
      reason: "the bank wants to know addresses",
      requiredDetails: [{ detail: "ADDRESS", at: "ABOVE_AMOUNT", amount: "1000.00", currency: "USD" }],
    },
    answer: {
      agentScope: undefined,
      approval: undefined,
      name: "Manilla Demo",
      currencies: ["USD", "NGN", "GBP", "EUR", "KES"],
      countries: ["USA", "GBR", "DEU", "NGA", "KEN"],
      secondFactors: { otp: false, pin: false },
      corsOrigins: [],
      staffTotpRequired: false,
      amountCeilings: [],
      requiredDetails: [{ detail: "ADDRESS", at: "ABOVE_AMOUNT", amount: "1000.00" }],
    },
  },
  rpc: "identity.changeOrganisationPreference",
  asks: ({ body: { reason, ...change } }) => ({ reason, change: changeToWire(change) }),
  isWaiting: isToApprove,
});

/** Ours */
export const listPreferenceChanges = operation({
  method: "get",
  path: `${base}/organisation-preference-changes`,
  operationId: "listPreferenceChanges",
  tag: "Organisation",
  summary: "List the changes of the organisation's preference, the newest first",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  query: z.object({ cursor: text(64).optional() }),
  answer: z.object({ changes: z.array(KeptPreferenceChange), cursor: leaf.nextCursor.optional() }),
  message: "Changes of the organisation preference",
  example: { as: "manager@demo.example" },
  rpc: "identity.listPreferenceChanges",
  fields: { cursor: "pageToken" },
  adds: () => ({ pageSize: 100 }),
  answerFields: { cursor: "nextPageToken" },
});
