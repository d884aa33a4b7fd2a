import type { AnswerOf, api } from "../../lib/api";

export type Endpoint = AnswerOf<typeof api.webhooks.readEndpoint>;
export type Delivery = AnswerOf<typeof api.webhooks.readDelivery>;
