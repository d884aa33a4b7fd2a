import { EventsServiceDefinition, type NewEvent } from "../../proto/gen/events/v1/events.js";
import { faultOfData } from "../../services/platform/events/declare.js";
import { isEventType } from "../../services/platform/events/types.js";
import { parseJson } from "../../services/kernel/json.js";
import { Refusal } from "../../services/kernel/refusal.js";
import type { ServiceNetwork } from "./service-network.js";

/** An event as the service of events was told it, and in which tenant. */
export interface PublishedEvent extends NewEvent {
  tenantId: string;
}

/** Stands in for the service of events: keeps each event once, in the order in which they came. */
export async function createStandInEvents(network: ServiceNetwork) {
  const state = {
    /** Those that were kept. */
    published: [] as PublishedEvent[],
    /** Events of every call, those that were refused or lost too. */
    requested: [] as { tenantId: string; eventId: string }[],
    /** What happens to the next calls: refused before, or lost after they were kept. */
    faults: [] as ("REFUSED" | "LOST")[],
    /** While it is away nobody is told anything. */
    isAway: false,
    /** Subjects of which nothing can be kept. */
    refused: new Set<string>(),
  };
  const address = await network.standIn("events", EventsServiceDefinition, {
    async publishEvents({ events }, { tenantId }) {
      state.requested.push(...events.map(({ eventId }) => ({ tenantId, eventId })));
      if (state.isAway) throw new Refusal("UNAVAILABLE", "away");
      const fault = state.faults.shift();
      if (fault === "REFUSED") throw new Refusal("UNAVAILABLE", "not now");
      for (const event of events) {
        const { type, eventId, dataJson, subjectId } = event;
        if (state.refused.has(subjectId)) throw new Refusal("INVALID_INPUT", `nothing is kept of ${subjectId}`);
        if (!isEventType(type)) throw new Error(`nobody declared ${type}`);
        const wrong = faultOfData(type, parseJson(dataJson));
        if (wrong !== undefined) throw new Error(`data of ${type}: ${wrong}`);
        if (!state.published.some((one) => one.eventId === eventId)) state.published.push({ ...event, tenantId });
      }
      if (fault === "LOST") throw new Refusal("UNAVAILABLE", "lost on the way back");
      return {};
    },
  });
  return {
    state,
    address,
    /** What was told of a subject, in order. */
    of: (subjectId: string) => state.published.filter((one) => one.subjectId === subjectId),
    typesOf: (subjectId: string) =>
      state.published.filter((one) => one.subjectId === subjectId).map(({ type }) => type),
  };
}

export type StandInEvents = Awaited<ReturnType<typeof createStandInEvents>>;
