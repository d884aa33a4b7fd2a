import { api } from "../../lib/api";
import { read } from "../../lib/queries";

export function eventTypesQuery() {
  return {
    ...read("webhooks", "listWebhookEventTypes", {}, async (options) => {
      const { eventTypes } = await api.webhooks.listEventTypes(options);
      return eventTypes;
    }),
    staleTime: 300_000,
  };
}

/** "transaction.paid" → "transaction.*": a subscription to all of a kind. */
export const wildcardOf = (type: string): string => `${type.slice(0, type.indexOf("."))}.*`;
