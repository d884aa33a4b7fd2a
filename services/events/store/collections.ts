import type { ClientSession } from "mongoose";

export type Session = ClientSession;

/** A document of a tenant. */
export type Owned<T> = T & { tenantId: string };

export const collections = {
  events: "events",
  /** One document a tenant: its publications come one after the other. */
  places: "event_places",
  /** The last sequence of each subject; kept for ever, or numbers would come twice. */
  subjects: "event_subjects",
  /** Whose events are kept without what they say, however late they are told. */
  erased: "erased_people",
  endpoints: "webhook_endpoints",
  /** Of each endpoint, what its deliveries do: when one is due, and since when they fail. */
  lanes: "webhook_lanes",
  deliveries: "webhook_deliveries",
  /** Of sandboxes, how long after each attempt the next one comes. */
  schedules: "webhook_schedules",
  /** What organisations say in place of shipped words. */
  templates: "notification_templates",
} as const;

/** How long events and deliveries are kept. */
export const retentionMs = 30 * 24 * 60 * 60_000;
