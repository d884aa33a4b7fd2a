import type { ClientSession } from "mongoose";

export type Session = ClientSession;

/** A document of a tenant. */
export type Owned<T> = T & { tenantId: string };

/** A part of a list. */
export interface Page {
  limit: number;
  /** Where the page before ended. */
  after?: string;
}

export const collections = {
  policies: "policies",
  drafts: "policy_drafts",
  statuses: "customer_statuses",
  statusChanges: "customer_status_changes",
  days: "activity_days",
  recipients: "known_recipients",
  decisions: "decisions",
  scores: "risk_scores",
  verifications: "verifications",
  agentContacts: "agent_contacts",
  overrides: "overrides",
  audit: "audit",
  forced: "forced_decisions",
  documentFiles: "documents.files",
  documentChunks: "documents.chunks",
  uploadQuotas: "upload_quotas",
  cases: "cases",
  caseEvents: "case_events",
  caseNumbers: "case_numbers",
  caseFileChunks: "case_file_chunks",
  screeningLists: "screening_lists",
  screeningListEntries: "screening_list_entries",
  screeningListParts: "screening_list_parts",
  listPlugins: "list_plugins",
  screenings: "screenings",
  screeningSubjects: "screening_subjects",
  screeningKeys: "screening_keys",
  screeningExemptions: "screening_exemptions",
  screeningPolicies: "screening_policies",
  screeningPolicyDrafts: "screening_policy_drafts",
} as const;
