import type { Delivery as WireDelivery, Endpoint as WireEndpoint } from "../../../proto/gen/events/v1/webhooks.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { subjectTypeOf } from "../../platform/events/types.js";
import { invalidInput } from "../../kernel/refusal.js";
import type { Delivery, DeliveryStatus } from "../domain/delivery.js";
import { liveSecrets, type Endpoint } from "../domain/endpoint.js";

const maxDescription = 500;
const statuses: readonly DeliveryStatus[] = ["PENDING", "DELIVERED", "GIVEN_UP"];

/** Without its secrets. */
export function endpointToWire(endpoint: Endpoint, now: Date, failingSince?: Date): WirePartial<WireEndpoint> {
  const { secrets: _secrets, statusReason = "", version: _version, ...shown } = endpoint;
  return {
    ...shown,
    statusReason,
    secrets: liveSecrets(endpoint, now).map(({ secretId, createdAt, expiresAt }) => ({
      secretId,
      createdAt,
      ...(expiresAt !== undefined && { expiresAt }),
    })),
    ...(failingSince !== undefined && { failingSince }),
  };
}

export function deliveryToWire(delivery: Delivery): WirePartial<WireDelivery> {
  const { deliveryId, endpointId, eventId, eventType, subjectId, sequence, status } = delivery;
  return {
    deliveryId,
    endpointId,
    eventId,
    eventType,
    subjectType: subjectTypeOf(eventType),
    subjectId,
    sequence: BigInt(sequence),
    status,
    attempts: delivery.attempts.map(({ at, status: answered = 0, durationMs, answer = "", error = "" }) => ({
      at,
      status: answered,
      durationMs,
      answer,
      error,
    })),
    attemptCount: Number(delivery.attemptCount),
    createdAt: delivery.createdAt,
    ...(status === "PENDING" && delivery.dueAt !== undefined && { nextAttemptAt: delivery.dueAt }),
  };
}

export function descriptionFromWire(text: string): string {
  const description = text.trim();
  if (description.length > maxDescription) {
    throw invalidInput("description", `must have at most ${maxDescription} characters`);
  }
  return description;
}

export function statusFromWire(text: string): DeliveryStatus | undefined {
  if (text === "") return undefined;
  const status = statuses.find((one) => one === text);
  if (status === undefined) throw invalidInput("status", `must be one of ${statuses.join(", ")}`);
  return status;
}
