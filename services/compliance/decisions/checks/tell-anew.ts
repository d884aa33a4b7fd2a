import type { RemittanceServiceDefinition } from "../../../../proto/gen/remittance/v1/remittance.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import { outgoingUnnamed, type Client, type OutgoingContext } from "../../../kernel/grpc/client.js";
import { isOutdated } from "../domain/outdated-facts.js";
import type { RecordedDecision } from "../domain/recorded-decision.js";
import type { TransparencyFacts } from "../domain/transparency.js";
import type { ComplianceStore } from "../store/index.js";
import type { PolicyVersions } from "../store/policy-versions.js";
import { transparencyFromWire } from "../wire/transparency.js";

export interface TellAnewDeps {
  store: ComplianceStore;
  policies: PolicyVersions;
  /** Absent where none is set up: there is nothing of it that waits. */
  remittance?: Pick<Client<RemittanceServiceDefinition>, "tellTransparency"> | undefined;
}

// Longer than a single one: each is added up.
const timeoutMs = 30_000;

/**
 * Has remittance tell anew of what waits and was told of by an older policy than the one of now,
 * and keeps it. Refuses UNAVAILABLE while remittance is away. Safe to repeat.
 */
export function createTellAnew({ store, policies, remittance }: TellAnewDeps) {
  return async (some: readonly RecordedDecision[], call: OutgoingContext): Promise<void> => {
    const tenant = store.forTenant(call.tenantId);
    const policy = await policies.current(call.tenantId, tenant);
    const outdated = some.filter(({ isOpen, inputs: { facts } }) => isOpen && isOutdated(facts, policy));
    if (outdated.length === 0 || policy === undefined || remittance === undefined) return;
    const transactionIds = outdated.map(({ transactionId }) => transactionId);
    const { told } = await remittance.tellTransparency(
      { transactionIds, policyVersion: policy.version },
      outgoingUnnamed(call, { timeoutMs }),
    );
    const factsOf = new Map(told.map(({ transactionId, facts }) => [transactionId, transparencyFromWire(facts)]));
    await store.transaction(
      async (session) => {
        const found = await tenant.findDecisions(transactionIds, session);
        const changed = found.flatMap(({ transactionId, isOpen, inputs: { facts } }) => {
          const known = newerOf(facts.transparency, factsOf.get(transactionId));
          return isOpen && known !== undefined ? [{ transactionId, known }] : [];
        });
        await tenant.putTransparency(changed, session);
        return true;
      },
      async () => undefined,
    );
    crashPoint("compliance.transparency.told-anew");
  };
}

/** What members are known is told as it changes, and may be newer than the answer. */
function newerOf(
  before: TransparencyFacts | undefined,
  told: TransparencyFacts | undefined,
): TransparencyFacts | undefined {
  if (before === undefined || told === undefined) return undefined;
  if ((told.policyVersion ?? 0) <= (before.policyVersion ?? 0)) return undefined;
  return { ...told, knownMembers: before.knownMembers };
}
