import { z } from "zod";
import { writerOf, shape } from "../codec.js";
import { operation } from "../operation.js";
import { text, isToApprove, countryIn, maybe, shown, cursorQuery } from "../schema.js";
import {
  ChangedOrganisationPreference,
  KeptPreferenceChange,
  OrganisationPreference,
  OrganisationPreferenceChange,
  PreferenceChange,
} from "../shapes/organisation-preference.js";
import { everyRole, v6 } from "../route.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import * as wire from "../../proto/gen/remittance/v1/remittance.js";

const changeToWire = writerOf(PreferenceChange);
/** §4.3 */
export const fetchOrganisationPreference = operation({
  method: "get",
  path: `${v6}/admin/organisation-preference-management/fetch-organisaction-preference`,
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
});

/** Ours: §5.4's tenant and agent configuration. What is absent stays as it is. */
export const changeOrganisationPreference = operation({
  method: "put",
  path: `${v6}/admin/organisation-preference-management/change-organisation-preference`,
  tag: "Organisation",
  summary: "Change the organisation's preference; another manager approves what weakens a guard of accounts or money",
  access: ["MANAGER"],
  peopleOnly: "protection",
  headers: { idempotencyKey: "required" },
  body: OrganisationPreferenceChange,
  answer: ChangedOrganisationPreference,
  message: "Organisation preference changed",
  waits: "Change waits for another manager",
  renames: { change: "body" },
  example: {
    as: "manager@demo.example",
    sandbox: true,
    headers: { "x-idempotency-key": "preference-2026-11-21" },
    body: {
      reason: "the bank wants to know addresses",
      requiredDetails: [{ detail: "ADDRESS", at: "FIRST_TRANSACTION" }],
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
      requiredDetails: [{ detail: "ADDRESS", at: "FIRST_TRANSACTION" }],
    },
  },
  rpc: "identity.changeOrganisationPreference",
  asks: ({ body: { reason, ...change } }) => ({ reason, change: changeToWire(change) }),
  isWaiting: isToApprove,
});

export const listPreferenceChanges = operation({
  method: "get",
  path: `${v6}/admin/organisation-preference-management/organisation-preference-changes`,
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

const branches = `${v6}/branches`;

const BranchRequest = shape(
  wire.Branch,
  z
    .object({
      code: text(64),
      name: text(200),
      country: countryIn,
      city: maybe(text(100, 0)),
      address: maybe(text(300, 0)),
      phoneNumber: maybe(text(30, 0)),
      openingHours: maybe(text(300, 0)),
      allocatedTo: maybe(text(128)).meta({ description: "TENANT when absent, or an agent's user id." }),
      enabled: maybe(z.boolean()),
    })
    .meta({ id: "BranchRequest" }),
  { enabled: { field: "enabled", absent: true } },
);

const Branch = shape(
  wire.Branch,
  z
    .object({
      code: shown(z.string(), "LAG-1"),
      name: shown(z.string(), "Lagos Island"),
      country: z.string(),
      city: leaf.city.optional(),
      address: leaf.streetLine.optional(),
      phoneNumber: leaf.phoneNumber.optional(),
      openingHours: leaf.openingHours.optional(),
      allocatedTo: leaf.ofTenant,
      enabled: z.boolean(),
      version: z.int(),
    })
    .meta({ id: "Branch" }),
);

const putBranch = operation({
  method: "put",
  path: branches,
  tag: "Branches",
  summary: "Create one of the organisation's branches or replace what holds of it; every version is kept",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  body: BranchRequest,
  answer: Branch,
  message: "Branch",
  example: {
    as: "manager@demo.example",
    body: { code: "LAG-1", name: "Lagos Island", country: "NGA", city: "Lagos", openingHours: "Mon-Fri 09:00-17:00" },
  },
  renames: { branch: "body" },
  rpc: "remittance.putBranch",
  sends: "branch",
});

const listBranches = operation({
  method: "get",
  path: branches,
  tag: "Branches",
  summary: "List the organisation's branches: managers all, others what is open to them",
  access: everyRole,
  scopes: ["quotes:request", "transactions:create", "transactions:read"],
  query: cursorQuery.extend({ country: countryIn.optional() }),
  answer: z.object({ branches: z.array(Branch), nextCursor: leaf.nextCursor.optional() }).meta({ id: "Branches" }),
  message: "Branches",
  example: { as: "amina@demo.example" },
  renames: { pageSize: "query.size", cursor: "query.cursor", country: "query.country" },
  rpc: "remittance.listBranches",
});

export const branchRoutes = { putBranch, listBranches };
