import type { api, RowOf } from "../../lib/api";

export type Template = RowOf<typeof api.disclosures.listTemplates>;
export type Contact = Template["operator"];
export type Profile = "GENERIC" | "US_BSA" | "EU_TFR" | "UK_FTR";
