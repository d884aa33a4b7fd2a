import type { api, RowOf } from "../../lib/api";

export type Branch = RowOf<typeof api.branches.list>;
export type Corridor = RowOf<typeof api.corridors.list>;
export type CorridorBody = Parameters<typeof api.corridors.put>[0];
export type Point = RowOf<typeof api.payoutPoints.listAllocated>;
export type Promotion = RowOf<typeof api.promotions.list>;
export type Rate = RowOf<typeof api.rates.list>;
export type Pair = Parameters<typeof api.rates.read>[0];
