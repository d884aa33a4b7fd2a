import type { Erasure } from "../../../proto/gen/identity/v1/erasure.js";
import { stateOf, type ErasureRecord } from "../domain/erasure.js";

export function erasureToWire(erasure: ErasureRecord): Erasure {
  const { customerId, at: erasedAt, by: erasedBy, reason, retainedUntil, services } = erasure;
  const answered = services.map((service) => ({ service, ...stateOf(service, erasure) }));
  return { customerId, erasedAt, erasedBy, reason, retainedUntil, services: answered };
}
