import type { ClientSession } from "mongoose";
import { v7 as uuidv7 } from "uuid";
import {
  ChangePluginRequest,
  ChangePluginResponse,
  EnablePluginRequest,
  EnablePluginResponse,
  PausePluginRequest,
  PausePluginResponse,
  RemovePluginRequest,
  RemovePluginResponse,
  RotatePluginSecretRequest,
  RotatePluginSecretResponse,
  type PluginServiceDefinition,
} from "../../../proto/gen/identity/v1/plugins.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { createFaults } from "../../kernel/text/faults.js";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import type { MessageType } from "../../kernel/grpc/definition.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { parseName } from "../../kernel/text/one-line.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { isSandbox } from "../../platform/sandbox/sandbox.js";
import type { ApprovalRecord } from "../domain/approvals.js";
import { ownApproval } from "../domain/own-approvals.js";
import { notReady } from "../../platform/plugins/not-ready.js";
import { assertSamePartner, parseConfiguration } from "../domain/plugin-configuration.js";
import { droppedBy } from "../domain/plugin-secrets.js";
import { approvalChanges, approvalSummary, changedParts } from "../domain/plugin-words.js";
import {
  assertChangeable,
  differing,
  needsSecondManager,
  parseRoutes,
  parseSecrets,
  paused,
  removed,
  type PluginChange,
  type PluginRecord,
} from "../domain/plugins.js";
import { checkKey } from "../domain/requests.js";
import { approvalExpiryOf, approvalExpiryRow } from "../jobs/approvals.js";
import { allLacking, carryOut, manifestOf, pluginSubject } from "../jobs/plugin-changes.js";
import { pluginToWire } from "../wire/plugins.js";
import { approvalRequestRows, decidedRows } from "../wire/event-rows.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import { assertPartnersReachable, type PluginDeps } from "./plugin-deps.js";
import { pluginOf } from "./plugin-of.js";

type Rpcs = "changePlugin" | "rotatePluginSecret" | "enablePlugin" | "pausePlugin" | "removePlugin";

interface KeyedRequest {
  idempotencyKey: string;
  installationId: string;
  reason: string;
}
type Answer = { plugin?: ReturnType<typeof pluginToWire> | undefined };
type Work = (before: PluginRecord, session: ClientSession) => Promise<PluginRecord>;
interface Keyed<Request extends KeyedRequest, Response extends Answer> {
  operation: Rpcs;
  request: Request;
  requestType: MessageType<Request>;
  response: MessageType<Response>;
  prepare?: () => Promise<void>;
}

/** What managers do with an installation, or ask another manager for. */
export function pluginChangeHandlers(deps: PluginDeps) {
  const { store, runOnce, outbox, clock, untilKnown } = deps;

  /** One change of one installation, once per key; the answer comes when it holds everywhere. */
  async function once<Request extends KeyedRequest, Response extends Answer>(
    keyed: Keyed<Request, Response>,
    call: Call,
    work: Work,
  ): Promise<Response> {
    const ofTenant = store.forTenant(call.tenantId);
    const { prepare, ...rest } = keyed;
    const answer = await runOnce<Request, Response, void>({
      call,
      ...rest,
      ...(prepare && { prepare }),
      work: async (session) => {
        const before = await pluginOf(ofTenant, keyed.request.installationId, session);
        return { plugin: pluginToWire(call.tenantId, await work(before, session)) } as never;
      },
    });
    crashPoint("identity.plugin.changed");
    outbox.wake();
    await untilKnown();
    return answer;
  }

  /** Carries a change out, or has it wait for a second manager. */
  async function change(
    before: PluginRecord,
    requested: PluginChange,
    reason: string,
    call: Call,
    session: ClientSession,
  ) {
    assertChangeable(before);
    const ofTenant = store.forTenant(call.tenantId);
    const now = clock.now();
    if (!needsSecondManager(before, requested)) {
      const by = { actor: actorOf(call), reason, interactionId: call.interactionId };
      return carryOut({ ofTenant, outbox }, { tenantId: call.tenantId, before, change: requested, by, now }, session);
    }
    const approval = approvalOf(before, requested, { actor: actorOf(call), reason, now });
    const after = {
      ...before,
      pending: { approvalId: approval.approvalId, change: ofTenant.sealPluginChange(before.installationId, requested) },
    };
    await ofTenant.putPlugin(after, session);
    await ofTenant.insertApproval(approval, session);
    const origin = { tenantId: call.tenantId, interactionId: call.interactionId, actor: approval.askedBy };
    await outbox.addAll([approvalExpiryRow(origin, approval), ...approvalRequestRows(origin, approval)], session);
    const action = `${requested.action}.ask`;
    const detail = changedParts(before, requested, droppedBy(before, requested, manifestOf(before)));
    await note(call, { before, action, reason, detail, now }, session);
    return after;
  }

  function note(call: Call, { before, action, reason, detail, now }: Noted, session: ClientSession): Promise<void> {
    const entry = {
      at: now,
      actor: actorOf(call),
      action,
      subject: pluginSubject(before.installationId),
      reason,
      detail,
    };
    return store.forTenant(call.tenantId).noteAudit({ ...entry, interactionId: call.interactionId }, session);
  }

  /** Nobody decides any more about what waits. */
  async function withdraw({ pending }: PluginRecord, call: Call, now: Date, session: ClientSession): Promise<void> {
    if (pending === undefined) return;
    const { approvalId } = pending;
    const actor = actorOf(call);
    const decision = {
      status: "REFUSED" as const,
      decidedBy: actor,
      decidedBecause: "the plugin is removed",
      decidedAt: now,
    };
    const after = await store.forTenant(call.tenantId).decideApproval(approvalId, decision, session);
    // Undefined where a person has decided meanwhile.
    if (after === undefined) return;
    await outbox.cancel(call.tenantId, approvalExpiryOf(approvalId), session);
    const origin = { tenantId: call.tenantId, interactionId: call.interactionId, actor };
    await outbox.addAll(decidedRows(origin, after), session);
  }

  return {
    async changePlugin(request, call) {
      const reason = reasonOf(request);
      const ofTenant = store.forTenant(call.tenantId);
      const known = await pluginOf(ofTenant, request.installationId);
      const requested = changeFromWire(request, known, call.tenantId);
      const marked = { ...request, secrets: ofTenant.markPluginSecrets(request.secrets) };
      const keyed = { request: marked, requestType: ChangePluginRequest, response: ChangePluginResponse };
      const { configuration } = requested;
      const manifest = manifestOf(known);
      const prepare = async () => {
        if (configuration) await assertPartnersReachable(deps, { configuration, manifest }, call.tenantId);
      };
      return once({ operation: "changePlugin", ...keyed, prepare }, call, async (before, session) => {
        if (request.revision !== 0n && request.revision !== BigInt(before.revision)) {
          throw new Refusal("STATE_CONFLICT", `the plugin is at revision ${before.revision}: look at it again`);
        }
        const differs = differing(before, requested.change);
        if (differs === undefined) return before;
        const { configurationJson } = differs;
        if (configurationJson !== undefined && before.status !== "DRAFT" && before.status !== "TESTED") {
          assertSamePartner(before.configurationJson, configurationJson, manifest);
        }
        return change(before, differs, reason, call, session);
      });
    },

    async rotatePluginSecret(request, call) {
      const reason = reasonOf(request);
      const ofTenant = store.forTenant(call.tenantId);
      const known = await pluginOf(ofTenant, request.installationId);
      const secrets = parseSecrets(request.secrets, manifestOf(known));
      if (Object.keys(secrets).length === 0) throw invalidInput("secrets", "must name a secret");
      const marked = { ...request, secrets: ofTenant.markPluginSecrets(request.secrets) };
      const keyed = { request: marked, requestType: RotatePluginSecretRequest, response: RotatePluginSecretResponse };
      return once({ operation: "rotatePluginSecret", ...keyed }, call, (before, session) =>
        change(before, { action: "plugin.rotate-secret", secrets }, reason, call, session),
      );
    },

    enablePlugin(request, call) {
      const reason = reasonOf(request);
      const keyed = { request, requestType: EnablePluginRequest, response: EnablePluginResponse };
      return once({ operation: "enablePlugin", ...keyed }, call, async (before, session) => {
        if (before.status === "ENABLED") return before;
        assertChangeable(before);
        const lacks = await allLacking(store.forTenant(call.tenantId), before, clock.now(), session);
        if (lacks.length > 0) throw notReady(lacks);
        return change(before, { action: "plugin.enable" }, reason, call, session);
      });
    },

    pausePlugin(request, call) {
      const reason = reasonOf(request);
      const keyed = { request, requestType: PausePluginRequest, response: PausePluginResponse };
      return once({ operation: "pausePlugin", ...keyed }, call, async (before, session) => {
        const now = clock.now();
        const after = paused(before, now);
        if (after === before) return before;
        await store.forTenant(call.tenantId).putPlugin(after, session);
        await note(call, { before, action: "plugin.pause", reason, detail: "", now }, session);
        return after;
      });
    },

    removePlugin(request, call) {
      const reason = reasonOf(request);
      const keyed = { request, requestType: RemovePluginRequest, response: RemovePluginResponse };
      return once({ operation: "removePlugin", ...keyed }, call, async (before, session) => {
        const now = clock.now();
        const { pending: _pending, ...after } = removed(before, now);
        if (after.status === before.status) return before;
        await withdraw(before, call, now, session);
        await store.forTenant(call.tenantId).putPlugin(after, session);
        await note(call, { before, action: "plugin.remove", reason, detail: after.status, now }, session);
        return after;
      });
    },
  } satisfies Partial<Handlers<PluginServiceDefinition>>;
}

interface Noted {
  before: PluginRecord;
  action: string;
  reason: string;
  detail: string;
  now: Date;
}

function reasonOf({ idempotencyKey, reason }: KeyedRequest): string {
  const faults = createFaults();
  checkKey(idempotencyKey, faults);
  const why = faults.of(() => reasonFromWire(reason));
  faults.refuseIfAny();
  return why!;
}

/** Refuses INVALID_INPUT with every fault. */
function changeFromWire(
  { name, configurationJson: json, routes, secrets }: ChangePluginRequest,
  known: PluginRecord,
  tenantId: string,
) {
  const faults = createFaults();
  const manifest = manifestOf(known);
  const isLive = !isSandbox(tenantId);
  const newName = name === undefined ? undefined : faults.of(() => parseName(name, "name"));
  const configuration = json === undefined ? undefined : faults.of(() => parseConfiguration(json, manifest, isLive));
  const newRoutes = routes && faults.of(() => parseRoutes(routes.routes, known.kind));
  const newSecrets = faults.of(() => parseSecrets(secrets, manifest));
  faults.refuseIfAny();
  const change: PluginChange = {
    action: "plugin.change",
    ...(newName !== undefined && { name: newName }),
    ...(configuration !== undefined && { configurationJson: JSON.stringify(configuration) }),
    ...(newRoutes !== undefined && { routes: newRoutes }),
    ...(Object.keys(secrets).length > 0 && { secrets: newSecrets! }),
  };
  return { change, configuration };
}

function approvalOf(
  before: PluginRecord,
  change: PluginChange,
  requested: { actor: string; reason: string; now: Date },
): ApprovalRecord {
  const { actor, reason, now } = requested;
  const dropped = droppedBy(before, change, manifestOf(before));
  return ownApproval({
    approvalId: uuidv7(),
    kind: "PARTNER_CHANGE",
    subject: pluginSubject(before.installationId),
    summary: approvalSummary(before, change, dropped),
    changes: approvalChanges(before, change, dropped),
    payloadJson: JSON.stringify({ installationId: before.installationId }),
    askedBy: actor,
    askedBecause: reason,
    askedAt: now,
  });
}
