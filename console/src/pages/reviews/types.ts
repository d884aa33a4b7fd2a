import type { api, RowOf } from "../../lib/api";

export type ComplianceDocument = RowOf<typeof api.compliance.listDocuments>;
export type Review = RowOf<typeof api.compliance.listReviews>;
