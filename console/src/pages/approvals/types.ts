import type { AnswerOf, api, RowOf } from "../../lib/api";

export type Shown = AnswerOf<typeof api.approvals.read>;
export type Effect = NonNullable<Shown["effects"]>[number];
export type Approval = RowOf<typeof api.approvals.list>;
