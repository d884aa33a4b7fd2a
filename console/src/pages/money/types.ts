import type { api, RowOf } from "../../lib/api";

export type Credit = RowOf<typeof api.payments.listUnmatchedCredits>;
export type Limit = RowOf<typeof api.payments.listWalletLimits>;
