import type { AnswerOf, api } from "../../lib/api";

export type Template = AnswerOf<typeof api.notifications.readTemplate>;
export type Kind = AnswerOf<typeof api.notifications.listKinds>["kinds"][number];
