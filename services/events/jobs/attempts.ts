import type { Clock } from "../../kernel/time/clock.js";
import type { AllowedOrigins } from "../../platform/partners/address.js";
import { liveSecrets, type Endpoint } from "../domain/endpoint.js";
import { verdictOf, type Attempt, type Delivery, type Verdict } from "../domain/delivery.js";
import type { RecordedEvent } from "../domain/event.js";
import { nextAttempt, retryAfterOf } from "../domain/schedule.js";
import type { WebhookSender } from "../clients/webhook-sender.js";
import type { Outcome } from "../store/deliveries.js";

export interface AttemptDeps {
  sender: Pick<WebhookSender, "send">;
  clock: Clock;
  /** Origins that the operator lets a tenant's endpoints have. */
  allowedOf(tenantId: string): AllowedOrigins;
  /** Waits of a tenant's schedule; the usual ones where undefined. */
  waitsOf(tenantId: string): Promise<readonly number[] | undefined>;
}

export interface Tried {
  attempt: Attempt;
  outcome: Outcome;
  verdict: Verdict;
}

export type Try = ReturnType<typeof createTry>;

/** Sends a delivery once and says what follows from the answer. */
export function createTry({ sender, clock, allowedOf, waitsOf }: AttemptDeps) {
  return async function tryOnce(
    tenantId: string,
    endpoint: Endpoint,
    delivery: Delivery,
    event: RecordedEvent | undefined,
    signal: AbortSignal,
  ): Promise<Tried> {
    const at = clock.now();
    if (event === undefined) return unsent(at, noLongerRetained);
    if (event.body === undefined) return unsent(at, "the person was erased");
    if (event.isConfidential && !endpoint.includesConfidential) {
      return unsent(at, "the endpoint gets no confidential events any more");
    }
    const { retryAfter, ...answered } = await sender.send({
      url: endpoint.url,
      id: delivery.eventId,
      body: event.body,
      secrets: liveSecrets(endpoint, at).map(({ secret }) => secret),
      givenUp: delivery.givenUp,
      allowed: allowedOf(tenantId),
      signal,
    });
    const attempt = { at, ...answered };
    const verdict = verdictOf(attempt);
    if (verdict === "ARRIVED") return { attempt, outcome: { status: "DELIVERED" }, verdict };
    const now = clock.now();
    const retryAfterMs = retryAfterOf(retryAfter, now);
    const dueAt =
      verdict === "GONE"
        ? undefined
        : nextAttempt(Number(delivery.attemptCount) + 1, now, { waitsMs: await waitsOf(tenantId), retryAfterMs });
    return { attempt, outcome: dueAt === undefined ? { status: "GIVEN_UP" } : { dueAt }, verdict };
  };
}

export const noLongerRetained = "the event is not kept any more";

/** Given up without anybody being asked. */
export function unsent(at: Date, error: string): Tried & { outcome: { status: "GIVEN_UP" } } {
  return { attempt: { at, durationMs: 0, error }, outcome: { status: "GIVEN_UP" }, verdict: "UNSENT" };
}
