import type { AnswerOf, api } from "../../lib/api";

export type Case = AnswerOf<typeof api.compliance.readCase>;
export type CaseChange = Omit<Parameters<typeof api.compliance.changeCase>[1], "version">;
