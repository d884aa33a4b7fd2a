import type { AnswerOf, api, RowOf } from "../../lib/api";

export type Configuration = RowOf<typeof api.agents.listAgentConfigurations>;
export type ConfigurationRequest = Parameters<typeof api.agents.putAgentConfiguration>[1];
export type Account = AnswerOf<typeof api.agents.readAgentAccounts>["accounts"][number];
export type Plan = RowOf<typeof api.agents.listCommissionPlans>;
export type PlanRequest = Parameters<typeof api.agents.putCommissionPlan>[0];
export type FloatRequest = Parameters<typeof api.agents.moveAgentFloat>[1];
