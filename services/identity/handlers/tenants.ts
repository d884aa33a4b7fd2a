import { randomUUID } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import {
  AdvanceBusinessDateRequest,
  AdvanceBusinessDateResponse,
  type IdentityServiceDefinition,
} from "../../../proto/gen/identity/v1/identity.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { inTransaction, isDuplicateKey } from "../../kernel/mongo/transaction.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { sandboxIdOf } from "../../platform/sandbox/sandbox.js";
import { createFaults } from "../../kernel/text/faults.js";
import { changedFields } from "../domain/preference-changes.js";
import { checkKey, pageOf } from "../domain/requests.js";
import {
  businessClock,
  canonicalHost,
  movedOnMs,
  parseTenant,
  type TenantInput,
  type TenantRecord,
} from "../domain/tenants.js";
import { tenantFromWire, tenantToWire } from "../wire/tenants.js";
import type { HandlerDeps } from "./deps.js";
import { tenantOf } from "./tenant-of.js";

const furthestDays = 3_660;
const furthestMs = 365_000 * 86_400_000;
// By then replicas' clocks agree on it, and nobody goes by what was before.
const settledAfterMs = 60_000;

export function tenantHandlers(deps: HandlerDeps) {
  const { db, store, runOnce, clock, ceilings, untilKnown } = deps;

  async function put({ tenantId, name, hosts, preference }: TenantInput, { interactionId }: Call) {
    const ofTenant = store.forTenant(tenantId);
    const revision = randomUUID();
    const at = clock.now();
    const content = { name, hosts, preference, updatedAt: at, revision };
    const sandbox = { ...content, name: `${name} (sandbox)`, hosts: [], sandboxOf: tenantId };
    const was = await ofTenant.findTenant();
    const stored = await inTransaction(
      db,
      async (session) => {
        for (const id of [tenantId, sandboxIdOf(tenantId)]) {
          const before = await store.forTenant(id).findTenant(session);
          const fields = changedFields(before?.preference, preference);
          // A tenant's first preference is no change.
          if (before === undefined || fields.length === 0) continue;
          const reason = "put by the operator";
          const change = { changeId: uuidv7(), at, actor: "operator", reason, fields, interactionId };
          await store.forTenant(id).insertPreferenceChange(change, session);
        }
        await store.forTenant(sandboxIdOf(tenantId)).putSandbox(sandbox, session);
        return ofTenant.putTenant(content, session);
      },
      {
        readBack: async () => {
          const found = await ofTenant.findTenant();
          return found?.revision === revision ? found : undefined;
        },
      },
    );
    if (was !== undefined && !(isSame(was, content) && isSettled(was, at))) await untilKnown();
    return stored;
  }

  function clockOf({ preference, sandboxOf, businessAheadMs = 0 }: TenantRecord) {
    const { timeZone } = preference;
    const { offsetMs, ...times } = businessClock(clock.now(), timeZone, businessAheadMs);
    return { ...times, timeZone, offsetMs: BigInt(offsetMs), sandbox: sandboxOf !== undefined };
  }

  return {
    async putTenant(request, call) {
      const input = parseTenant(tenantFromWire(request.tenant), ceilings);
      try {
        const tenant = await put(input, call);
        call.log.info({ tenant: tenant.tenantId, hosts: tenant.hosts }, "tenant put");
        return { tenant: tenantToWire(tenant) };
      } catch (error) {
        // Two tenants asked for one host at the same moment.
        if (isDuplicateKey(error)) throw new Refusal("ALREADY_EXISTS", "a host belongs to another tenant");
        throw error;
      }
    },

    async listTenants(request) {
      const { after, limit } = pageOf(request);
      const found = await store.across.listTenants({ after, limit: limit + 1 });
      const page = found.slice(0, limit);
      return { tenants: page.map(tenantToWire), nextPageToken: found.length > limit ? page.at(-1)!.tenantId : "" };
    },

    async resolveHost({ host }) {
      const tenantId = await store.across.findTenantOfHost(canonicalHost(host));
      if (tenantId === undefined) throw new Refusal("TENANT_NOT_FOUND", "no tenant has this host");
      const { name, preference } = await tenantOf(store, tenantId);
      return { tenantId, sandboxTenantId: sandboxIdOf(tenantId), corsOrigins: preference.corsOrigins, name };
    },

    async getOrganisationPreference(_, call) {
      return { tenant: tenantToWire(await tenantOf(store, call.tenantId)) };
    },

    async getTenantClock(_, call) {
      return { clock: clockOf(await tenantOf(store, call.tenantId)) };
    },

    async advanceBusinessDate(request, call) {
      const { tenantId } = call;
      if (call.caller === "gateway") requireUser(call);
      const { days, idempotencyKey } = request;
      const faults = createFaults();
      checkKey(idempotencyKey, faults);
      if (days < 1 || days > furthestDays) faults.add("days", `must be 1 to ${furthestDays}`);
      faults.refuseIfAny();
      const { sandboxOf } = await tenantOf(store, tenantId);
      if (sandboxOf === undefined) throw new Refusal("FORBIDDEN", "only a sandbox's business date can be moved");
      const answer = await runOnce({
        call,
        operation: "advanceBusinessDate",
        request,
        requestType: AdvanceBusinessDateRequest,
        response: AdvanceBusinessDateResponse,
        work: async (session) => {
          const ofTenant = store.forTenant(tenantId);
          const { preference, businessAheadMs = 0 } = (await ofTenant.findTenant(session))!;
          const aheadMs = movedOnMs(clock.now(), preference.timeZone, businessAheadMs, days);
          // Intl knows years of four digits in every time zone; beyond them dates have another
          // form.
          if (aheadMs > furthestMs) throw invalidInput("days", "leads beyond the years that dates have");
          return { clock: clockOf((await ofTenant.setBusinessAhead(aheadMs, session))!) };
        },
      });
      await untilKnown();
      return answer;
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}

function isSame(before: TenantRecord, { name, hosts, preference }: Omit<TenantInput, "tenantId">): boolean {
  const sameHosts = JSON.stringify(before.hosts.toSorted()) === JSON.stringify(hosts.toSorted());
  return before.name === name && sameHosts && changedFields(before.preference, preference).length === 0;
}

function isSettled({ updatedAt }: TenantRecord, at: Date): boolean {
  return at.getTime() - updatedAt.getTime() > settledAfterMs;
}
