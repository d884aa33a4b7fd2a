import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import {
  ChangeEndpointRequest,
  ChangeEndpointResponse,
  CreateEndpointRequest,
  CreateEndpointResponse,
  RotateSecretRequest,
  RotateSecretResponse,
  type WebhookServiceDefinition,
} from "../../../proto/gen/events/v1/webhooks.js";
import { eventTypes, testEventType } from "../../platform/events/types.js";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { Refusal } from "../../kernel/refusal.js";
import { idFromWire } from "../../kernel/text/wire-text.js";
import { assertReachable } from "../../platform/partners/addresses.js";
import { urlOf } from "../../platform/partners/address.js";
import {
  assertMayHave,
  assertRoom,
  eventTypesOf,
  rateOf,
  rotate,
  type Endpoint,
  type EndpointStatus,
} from "../domain/endpoint.js";
import { rowKinds } from "../row-kinds.js";
import type { Session } from "../store/index.js";
import { descriptionFromWire, endpointToWire } from "../wire/webhooks.js";
import type { EventsDeps } from "./deps.js";
import { noEndpoint } from "./not-found.js";

const subscribable = eventTypes.filter((type) => type !== testEventType);
const secretBytes = 32;

/** What managers do with webhook endpoints. */
export function endpointHandlers(deps: EventsDeps) {
  const { store, runOnce, outbox, clock, resolve, allowedOf, wake } = deps;

  /** In its one form, and leading to where events may be sent. */
  async function reachable(url: string, tenantId: string): Promise<string> {
    const allowed = allowedOf(tenantId);
    const checked = urlOf(url, allowed);
    await assertReachable(checked, allowed, resolve);
    return checked.href;
  }

  async function shown(endpoint: Endpoint, tenantId: string) {
    const lane = await store.lanes.forTenant(tenantId).find(endpoint.endpointId);
    return endpointToWire(endpoint, clock.now(), lane?.failingSince);
  }

  async function found(endpointId: string, { tenantId }: Pick<Call, "tenantId">, session?: Session): Promise<Endpoint> {
    const one = await store.endpoints.forTenant(tenantId).find(idFromWire(endpointId, "endpointId"), session);
    if (one === undefined) throw noEndpoint();
    return one;
  }

  /** Repeating changes nothing. */
  async function setStatus(endpointId: string, status: EndpointStatus, { tenantId }: Call) {
    const endpoints = store.endpoints.forTenant(tenantId);
    const put = await store.transaction(
      async (session) => {
        const before = await found(endpointId, { tenantId }, session);
        if (before.status === status) return before;
        if (status === "PAUSED" && before.status === "DISABLED") {
          throw new Refusal("STATE_CONFLICT", "the endpoint is disabled: nothing is sent to it");
        }
        const now = clock.now();
        const { statusReason: _reason, ...rest } = before;
        const after = await endpoints.put({ ...rest, status, changedAt: now }, session);
        await store.lanes.forTenant(tenantId).setActive(endpointId, status === "ACTIVE", now, session);
        return after;
      },
      async () => undefined,
    );
    wake();
    return { endpoint: await shown(put, tenantId) };
  }

  return {
    async createEndpoint(request, call) {
      const { tenantId } = call;
      const description = descriptionFromWire(request.description);
      const patterns = eventTypesOf(request.eventTypes, subscribable);
      const rateLimitPerSecond = rateOf(request.rateLimitPerSecond);
      const url = await reachable(request.url, tenantId);
      const keyed = { request, requestType: CreateEndpointRequest, response: CreateEndpointResponse, call };
      return runOnce({
        operation: "create-webhook-endpoint",
        ...keyed,
        secret: true,
        work: async (session) => {
          // One at a time, so that the last place is given once.
          await store.events.forTenant(tenantId).takePlaces(1, session);
          const endpoints = store.endpoints.forTenant(tenantId);
          assertRoom(await endpoints.count(session));
          const now = clock.now();
          const fresh = newSecret();
          const endpoint: Endpoint = {
            endpointId: uuidv7(),
            url,
            description,
            eventTypes: patterns,
            status: "ACTIVE",
            ordered: request.ordered,
            rateLimitPerSecond,
            includesConfidential: request.includesConfidential,
            secrets: [{ ...fresh, createdAt: now }],
            createdAt: now,
            changedAt: now,
            version: 1,
          };
          await endpoints.insert(endpoint, session);
          await store.lanes.forTenant(tenantId).insert(endpoint.endpointId, session);
          return { endpoint: endpointToWire(endpoint, now), secret: fresh.secret };
        },
      });
    },

    async getEndpoint({ endpointId }, call) {
      return { endpoint: await shown(await found(endpointId, call), call.tenantId) };
    },

    async listEndpoints(_request, { tenantId }) {
      const [all, failing] = await Promise.all([
        store.endpoints.forTenant(tenantId).list(),
        store.lanes.forTenant(tenantId).failingSince(),
      ]);
      const now = clock.now();
      return { endpoints: all.map((one) => endpointToWire(one, now, failing.get(one.endpointId))) };
    },

    async changeEndpoint(request, call) {
      const { tenantId } = call;
      const { description, ordered, rateLimitPerSecond: rate, includesConfidential } = request;
      const url = request.url === undefined ? undefined : await reachable(request.url, tenantId);
      const requested = {
        ...(url !== undefined && { url }),
        ...(description !== undefined && { description: descriptionFromWire(description) }),
        ...(request.eventTypes && { eventTypes: eventTypesOf(request.eventTypes.eventTypes, subscribable) }),
        ...(ordered !== undefined && { ordered }),
        ...(rate !== undefined && { rateLimitPerSecond: rateOf(rate) }),
        ...(includesConfidential !== undefined && { includesConfidential }),
      };
      const keyed = { request, requestType: ChangeEndpointRequest, response: ChangeEndpointResponse, call };
      return runOnce({
        operation: "change-webhook-endpoint",
        ...keyed,
        work: async (session) => {
          // No event comes between what is looked at and what is written.
          await store.events.forTenant(tenantId).takePlaces(1, session);
          const before = await found(request.endpointId, call, session);
          assertMayHave(before, request);
          const deliveries = store.deliveries.forTenant(tenantId);
          if (ordered === true && !before.ordered && (await deliveries.hasOpen(before.endpointId, session))) {
            throw new Refusal("STATE_CONFLICT", "deliveries without an order are under way: wait for their end");
          }
          const now = clock.now();
          const after = await store.endpoints
            .forTenant(tenantId)
            .put({ ...before, ...requested, changedAt: now }, session);
          return { endpoint: endpointToWire(after, now) };
        },
      });
    },

    pauseEndpoint: ({ endpointId }, call) => setStatus(endpointId, "PAUSED", call),
    resumeEndpoint: ({ endpointId }, call) => setStatus(endpointId, "ACTIVE", call),

    async removeEndpoint({ endpointId }, call) {
      const { tenantId, interactionId } = call;
      const id = idFromWire(endpointId, "endpointId");
      await store.transaction(
        async (session) => {
          // Nothing is made for it by an event that is being kept.
          await store.events.forTenant(tenantId).takePlaces(1, session);
          if (!(await store.endpoints.forTenant(tenantId).remove(id, session))) throw noEndpoint();
          await store.lanes.forTenant(tenantId).remove(id, session);
          const cause = { tenantId, interactionId, actor: actorOf(call) };
          const aggregate = `webhook-removal:${id}`;
          await outbox.add(
            { ...cause, aggregate, seq: 1, kind: rowKinds.cleanUp, payload: { endpointId: id } },
            session,
          );
        },
        async () => undefined,
      );
      outbox.wake();
      return {};
    },

    async rotateSecret(request, call) {
      const { tenantId } = call;
      const keyed = { request, requestType: RotateSecretRequest, response: RotateSecretResponse, call };
      return runOnce({
        operation: "rotate-webhook-secret",
        ...keyed,
        secret: true,
        work: async (session) => {
          const before = await found(request.endpointId, call, session);
          assertMayHave(before, request);
          const now = clock.now();
          const fresh = newSecret();
          const secrets = rotate(before, fresh, request.overlapHours, now);
          const after = await store.endpoints.forTenant(tenantId).put({ ...before, secrets, changedAt: now }, session);
          return { endpoint: endpointToWire(after, now), secret: fresh.secret };
        },
      });
    },
  } satisfies Partial<Handlers<WebhookServiceDefinition>>;
}

function newSecret() {
  return { secretId: uuidv7(), secret: `whsec_${randomBytes(secretBytes).toString("base64")}` };
}
