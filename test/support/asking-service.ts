import {
  ApprovalOutcomeServiceDefinition,
  type DecideApprovalRequest,
  type Approval,
  type ApprovalEffect,
  type ResolveApprovalRequest,
} from "../../proto/gen/identity/v1/approvals.js";
import {
  canonical,
  effectFromWire,
  effectToWire,
  publishedEffects,
} from "../../services/platform/approvals/approval-effects.js";
import { serveOpenMoney } from "../../services/platform/erasure/open-money.js";
import type { OutgoingContext } from "../../services/kernel/grpc/client.js";
import type { ServiceName } from "../../services/kernel/grpc/context.js";
import { startGrpcServer } from "../../services/kernel/grpc/server.js";
import type { Logger } from "../../services/kernel/process/log.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { createServiceTokenVerifier, type ServiceKeys } from "../../services/kernel/tokens/service-tokens.js";

type Effect = Pick<ApprovalEffect, "kind" | "subject"> & Partial<ApprovalEffect>;

/**
 * A service that asks for approvals, as identity reaches it: what it would do is what a test says.
 */
export async function startAskingService(service: ServiceName, { keys, log }: { keys: ServiceKeys; log: Logger }) {
  const processed: DecideApprovalRequest[] = [];
  const state = {
    processed,
    /** How often it cannot take an outcome yet. */
    failures: 0,
    /** It cannot say what it would do. */
    isAway: false,
    /** By approval; what it does where nothing is said. */
    effects: new Map<string, Effect[]>(),
    otherwise: [{ kind: "MONEY_REFUNDED", subject: "transaction:tx-1" }] as Effect[],
  };
  const effectsOf = (approvalId: string) => {
    const stated = state.effects.get(approvalId) ?? state.otherwise;
    return canonical(stated.map((one) => effectFromWire({ amount: undefined, change: undefined, ...one })));
  };
  const server = await startGrpcServer({
    service,
    definition: ApprovalOutcomeServiceDefinition,
    handlers: {
      async foreseeApproval({ approval }) {
        if (state.isAway) throw new Refusal("UNAVAILABLE", "not now");
        const { approvalId } = approval!;
        const effects = effectsOf(approvalId);
        const published = publishedEffects(approvalId, effects);
        return { ...published, effects: published.effects.map(effectToWire), effectCount: published.count };
      },
      async decideApproval(request) {
        if (state.failures-- > 0) throw new Refusal("UNAVAILABLE", "not now");
        processed.push(request);
        return { effects: effectsOf(request.approval!.approvalId).map(effectToWire) };
      },
    },
    access: { decideApproval: { callers: ["identity"] }, foreseeApproval: { callers: ["identity"] } },
    // Nothing is open there that would keep somebody from being erased.
    extraDefinitions: [serveOpenMoney(async () => ({}))],
    host: "127.0.0.1",
    port: 0,
    verifyServiceToken: createServiceTokenVerifier({ self: service, jwks: keys.jwks }),
    log,
  });
  return { ...server, state, address: `127.0.0.1:${server.port}`, stop: () => server.stop() };
}

interface Decides {
  getApproval(
    request: { approvalId: string; withEffects: boolean },
    call: OutgoingContext,
  ): Promise<{ approval?: Approval | undefined }>;
  resolveApproval(request: ResolveApprovalRequest, call: OutgoingContext): Promise<{ approval?: Approval | undefined }>;
}

/** Decides as whoever has looked at what it does. */
export async function decideAsShown(
  gateway: Decides,
  decision: Omit<ResolveApprovalRequest, "digest">,
  call: OutgoingContext,
) {
  const { approvalId, approve } = decision;
  const { approval } = approve ? await gateway.getApproval({ approvalId, withEffects: true }, call) : {};
  return gateway.resolveApproval({ ...decision, digest: approval?.digest ?? "" }, call);
}
