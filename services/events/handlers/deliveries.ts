import { v7 as uuidv7 } from "uuid";
import {
  RecoverDeliveriesRequest,
  RecoverDeliveriesResponse,
  ResendDeliveryRequest,
  ResendDeliveryResponse,
  SendTestRequest,
  SendTestResponse,
  type WebhookServiceDefinition,
} from "../../../proto/gen/events/v1/webhooks.js";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { printJson } from "../../kernel/json.js";
import { testEventType } from "../../platform/events/types.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { idFromWire } from "../../kernel/text/wire-text.js";
import { assertMayHave } from "../domain/endpoint.js";
import type { NewEvent } from "../domain/event.js";
import { rowKinds } from "../row-kinds.js";
import type { Session } from "../store/index.js";
import { retentionMs } from "../store/collections.js";
import { pageSizeFromWire, placeFromWire, placeToWire } from "../wire/events.js";
import { deliveryToWire, endpointToWire, statusFromWire } from "../wire/webhooks.js";
import type { EventsDeps } from "./deps.js";
import { noEndpoint, noEvent } from "./not-found.js";

/** What became of events on their way to endpoints. */
export function deliveryHandlers(deps: EventsDeps) {
  const { store, publishing, runOnce, outbox, clock, wake } = deps;

  async function endpointOf(endpointId: string, { tenantId }: Pick<Call, "tenantId">, session?: Session) {
    const one = await store.endpoints.forTenant(tenantId).find(idFromWire(endpointId, "endpointId"), session);
    if (one === undefined) throw noEndpoint();
    return one;
  }
  const after = async () => wake();

  return {
    async sendTest(request, call) {
      const { tenantId, interactionId } = call;
      const keyed = { request, requestType: SendTestRequest, response: SendTestResponse, call };
      return runOnce({
        operation: "send-webhook-test",
        ...keyed,
        after,
        work: async (session) => {
          const endpoint = await endpointOf(request.endpointId, call, session);
          if (endpoint.status !== "ACTIVE") throw notActive(endpoint.status);
          const { endpointId, url } = endpoint;
          const event: NewEvent = {
            eventId: uuidv7(),
            type: testEventType,
            occurredAt: clock.now(),
            subjectId: endpointId,
            interactionId,
            dataJson: printJson({ endpointId, url }),
            customerId: "",
            isConfidential: false,
          };
          return { delivery: deliveryToWire(await publishing.publishTo(tenantId, endpoint, event, session)) };
        },
      });
    },

    async listDeliveries(request, call) {
      const endpoint = await endpointOf(request.endpointId, call);
      assertMayHave(endpoint, request);
      const { endpointId } = endpoint;
      const { eventId, cursor } = request;
      const status = statusFromWire(request.status);
      const limit = pageSizeFromWire(request.pageSize);
      const found = await store.deliveries.forTenant(call.tenantId).list({
        endpointId,
        limit,
        ...(status !== undefined && { status }),
        ...(eventId !== "" && { eventId }),
        ...(cursor !== "" && { before: placeFromWire(cursor, "cursor") }),
      });
      const last = found.length === limit ? found.at(-1) : undefined;
      const { mayIncludeConfidential } = request;
      // The endpoint may have got other events before.
      const events = mayIncludeConfidential
        ? undefined
        : await store.events.forTenant(call.tenantId).findMany(found.map((one) => one.eventId));
      const shown = found.filter((one) => !events?.get(one.eventId)?.isConfidential);
      return {
        deliveries: shown.map(deliveryToWire),
        nextCursor: last === undefined ? "" : placeToWire(last.place),
      };
    },

    async getDelivery({ deliveryId, mayIncludeConfidential }, { tenantId }) {
      const found = await store.deliveries.forTenant(tenantId).find(idFromWire(deliveryId, "deliveryId"));
      if (found === undefined) throw noDelivery();
      if (!mayIncludeConfidential) {
        const endpoint = await store.endpoints.forTenant(tenantId).find(found.endpointId);
        if (endpoint !== undefined) assertMayHave(endpoint, { mayIncludeConfidential });
        // The endpoint may have got other events when this one was sent.
        const event = await store.events.forTenant(tenantId).find(found.eventId);
        if (event?.isConfidential ?? endpoint === undefined) throw noDelivery();
      }
      return { delivery: deliveryToWire(found) };
    },

    async resendDelivery(request, call) {
      const { tenantId } = call;
      const id = idFromWire(request.deliveryId, "deliveryId");
      const keyed = { request, requestType: ResendDeliveryRequest, response: ResendDeliveryResponse, call };
      return runOnce({
        operation: "resend-webhook-delivery",
        ...keyed,
        after,
        work: async (session) => {
          const deliveries = store.deliveries.forTenant(tenantId);
          const delivery = await deliveries.find(id, session);
          if (delivery === undefined) throw noDelivery();
          const endpoint = await endpointOf(delivery.endpointId, call, session);
          assertMayHave(endpoint, request);
          if (endpoint.status !== "ACTIVE") throw notActive(endpoint.status);
          if (delivery.status === "PENDING") throw new Refusal("STATE_CONFLICT", "the delivery is under way already");
          const event = await store.events.forTenant(tenantId).find(delivery.eventId, session);
          // The endpoint may have got other events when this one was sent.
          if (event === undefined || (event.isConfidential && !request.mayIncludeConfidential)) throw noEvent();
          if (event.isConfidential && !endpoint.includesConfidential) {
            throw new Refusal("STATE_CONFLICT", "the event is confidential: the endpoint gets none of these any more");
          }
          if (event.body === undefined) throw new Refusal("EVENT_ERASED", "the person whom it was about was erased");
          const dueAt = clock.now();
          // By itself, also where the endpoint is ordered: what came after it has been sent.
          await deliveries.reopen([id], { dueAt }, session);
          await store.lanes.forTenant(tenantId).touch([endpoint.endpointId], dueAt, session);
          return { delivery: deliveryToWire({ ...delivery, status: "PENDING", attemptCount: 0, dueAt }) };
        },
      });
    },

    async recoverDeliveries(request, call) {
      const { tenantId, interactionId } = call;
      const { since } = request;
      const now = clock.now();
      if (since === undefined) throw invalidInput("since", "is required");
      if (since > now) throw invalidInput("since", "must not be in the future");
      if (now.getTime() - since.getTime() > retentionMs) throw invalidInput("since", "must be within the last 30 days");
      const keyed = { request, requestType: RecoverDeliveriesRequest, response: RecoverDeliveriesResponse, call };
      return runOnce({
        operation: "recover-webhook-deliveries",
        ...keyed,
        after: async () => outbox.wake(),
        work: async (session) => {
          const endpoint = await endpointOf(request.endpointId, call, session);
          assertMayHave(endpoint, request);
          if (endpoint.status !== "ACTIVE") throw notActive(endpoint.status);
          const { endpointId } = endpoint;
          const until = await store.events.forTenant(tenantId).takePlaces(1, session);
          const cause = { tenantId, interactionId, actor: actorOf(call) };
          await outbox.add(
            {
              ...cause,
              aggregate: `webhook-recovery:${endpointId}`,
              seq: until,
              kind: rowKinds.recover,
              payload: { endpointId, since, until },
            },
            session,
          );
          return { endpoint: endpointToWire(endpoint, now) };
        },
      });
    },
  } satisfies Partial<Handlers<WebhookServiceDefinition>>;
}

function noDelivery(): Refusal {
  return new Refusal("NOT_FOUND", "no such delivery");
}

function notActive(status: string): Refusal {
  return new Refusal("STATE_CONFLICT", `the endpoint is ${status}: nothing is sent to it`);
}
