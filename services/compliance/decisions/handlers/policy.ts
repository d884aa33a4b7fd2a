import type { ComplianceServiceDefinition } from "../../../../proto/gen/compliance/v1/compliance.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { Refusal } from "../../../kernel/refusal.js";
import { checkPolicy } from "../domain/policy-check.js";
import { hasContent, counterOf, profilesOf, publicPart, type Policy } from "../domain/policy.js";
import type { Session } from "../store/index.js";
import { draftFromWire, policyToWire } from "../wire/policy.js";
import { nextCursor, numberedPageFromWire } from "../../common/wire/pages.js";
import type { ComplianceDeps } from "../../common/handlers/deps.js";
import { publish } from "./policy-publication.js";

/** Published versions of the policy. */
export function policyHandlers({ store, clock, outbox }: ComplianceDeps) {
  return {
    async putPolicy(request, call) {
      const checked = checkPolicy(draftFromWire(request));
      const tenant = store.forTenant(call.tenantId);
      // Two people decide on what is asked of transfers: one keeps what holds.
      const contentUnder = (current: Policy | undefined) => ({
        ...checked,
        transparencyProfiles: current === undefined ? [] : profilesOf(current),
        counter: counterOf(current),
      });
      const putUnlessSame = async (session: Session) => {
        const current = await tenant.findPolicy(session);
        const content = contentUnder(current);
        const isSame = current !== undefined && hasContent(current, content);
        return isSame ? current : publish({ outbox, clock }, tenant, content, undefined, call, session);
      };
      const policy = await store.transaction(putUnlessSame, async () => {
        const current = await tenant.findPolicy();
        return current !== undefined && hasContent(current, contentUnder(current)) ? current : undefined;
      });
      outbox.wake();
      return { policy: policyToWire(policy) };
    },

    async getPolicy({ version }, call) {
      const policy = await store.forTenant(call.tenantId).findPolicy(undefined, version === 0 ? undefined : version);
      // The gateway without a user's token gets no more than a customer would.
      const staff = call.caller === "operator" || (call.user !== undefined && call.user.role !== "CUSTOMER");
      if (policy === undefined) {
        if (version !== 0) throw new Refusal("NOT_FOUND", "no such version of the policy");
        return { policy: {} };
      }
      if (staff) return { policy: policyToWire(policy) };
      const { riskModel: _model, ...shown } = policyToWire(publicPart(policy));
      return { policy: shown };
    },

    async listPolicyVersions(request, call) {
      const page = numberedPageFromWire(request);
      const versions = await store.forTenant(call.tenantId).listPolicies(page);
      return { versions, nextCursor: nextCursor(versions, page, ({ version }) => String(version)) };
    },
  } satisfies Partial<Handlers<ComplianceServiceDefinition>>;
}
