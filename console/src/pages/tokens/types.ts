import type { api, RowOf } from "../../lib/api";

export type ApiToken = RowOf<typeof api.apiTokens.list>;
