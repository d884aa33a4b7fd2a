import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import { toAlpha3 } from "../../kernel/codes/countries.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { actorOf, requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { agentLimitOwner, assertWithinCeiling, tenantOwner } from "../domain/markup.js";
import { trimmedFromWire } from "../../kernel/text/wire-text.js";
import { codeFromWire, pageSizeFromWire } from "../wire/fields.js";
import { wholeTenant } from "../domain/payout-point.js";
import type { TenantStore } from "../store/index.js";
import { putVersion } from "../store/versioned-store.js";
import { branchFromWire, branchToWire } from "../wire/branches.js";
import { markupFromWire, markupToWire } from "../wire/markups.js";
import { promotionFromWire, promotionToWire } from "../wire/promotions.js";
import { rateToWire } from "../wire/rates.js";
import type { RemittanceDeps } from "./deps.js";

/**
 * What managers and agents set: markups, promotions, branches; and what of all settings was changed
 * when and by whom.
 */
export function settingHandlers({ store, people, clock }: RemittanceDeps) {
  const stampOf = (call: Call) => ({ changedAt: clock.now(), changedBy: actorOf(call) });

  return {
    async listChanges(request, call) {
      const { kind, beforeVersion } = request;
      const limit = pageSizeFromWire(request.pageSize);
      const page = { limit, ...(beforeVersion > 0 && { below: beforeVersion }) };
      const changes = await historyOf(kind, request.key, store.forTenant(call.tenantId), page, call);
      return {
        changes: changes.map(({ version, changedAt, changedBy, ...content }) => ({
          version,
          changedAt,
          changedBy,
          content: plainContent(content) as Record<string, unknown>,
        })),
      };
    },

    async listRates(request, call) {
      const pair = {
        sendCurrency: assertCurrency(request.sendCurrency, "sendCurrency"),
        receivingCurrency: assertCurrency(request.receivingCurrency, "receivingCurrency"),
      };
      const limit = pageSizeFromWire(request.pageSize);
      const page = { limit, ...(request.beforeSequence > 0 && { below: request.beforeSequence }) };
      return { rates: (await store.forTenant(call.tenantId).listRates(pair, page)).map(rateToWire) };
    },

    async putMarkup(request, call) {
      const requested = markupFromWire(request.markup);
      const tenant = store.forTenant(call.tenantId);
      const content = { ...requested, owner: ownerFor(requested.owner, call) };
      if (content.owner !== tenantOwner && content.owner !== agentLimitOwner)
        assertWithinCeiling(content, await tenant.markups.list({ owner: agentLimitOwner }));
      const { owner, sendCurrency, receivingCurrency } = content;
      const key = { owner, sendCurrency, receivingCurrency };
      return { markup: markupToWire(await putVersion(store, tenant.markups, { key, content, stamp: stampOf(call) })) };
    },

    async listMarkups(_request, call) {
      const owners = call.user?.role === "AGENT" ? [tenantOwner, agentLimitOwner, call.user.userId] : undefined;
      const filter = owners === undefined ? {} : { owner: { $in: owners } };
      const sort = { owner: 1, sendCurrency: 1, receivingCurrency: 1 } as const;
      return { markups: (await store.forTenant(call.tenantId).markups.list(filter, { sort })).map(markupToWire) };
    },

    async putPromotion(request, call) {
      const content = promotionFromWire(request.promotion);
      const { promotions } = store.forTenant(call.tenantId);
      const { code } = content;
      const promotion = await putVersion(store, promotions, { key: { code }, content, stamp: stampOf(call) });
      return { promotion: promotionToWire(promotion) };
    },

    async listPromotions(_request, call) {
      const tenant = store.forTenant(call.tenantId);
      const promotions = await tenant.promotions.list({}, { sort: { code: 1 } });
      const uses = await tenant.promotionUses(promotions.map(({ code }) => code));
      return { promotions: promotions.map((one) => promotionToWire(one, uses.get(one.code) ?? 0)) };
    },

    async putBranch(request, call) {
      const content = branchFromWire(request.branch);
      const { branches } = store.forTenant(call.tenantId);
      const { code } = content;
      const branch = await putVersion(store, branches, { key: { code }, content, stamp: stampOf(call) });
      return { branch: branchToWire(branch) };
    },

    async getBranch({ code }, { tenantId }) {
      const branch = await store.forTenant(tenantId).branches.find({ code: codeFromWire(code, "code") });
      if (branch === undefined) throw new Refusal("NOT_FOUND", "no such branch");
      return { branch: branchToWire(branch) };
    },

    async listBranches(request, call) {
      const size = pageSizeFromWire(request.pageSize);
      const { owners } = await people.allocationsOf(call);
      const found = await store.forTenant(call.tenantId).branches.list(
        {
          ...(request.country !== "" && { country: toAlpha3(request.country, "country") }),
          // Managers see what is switched off too.
          ...(owners !== undefined && { allocatedTo: { $in: owners }, enabled: true }),
          ...(request.cursor !== "" && { code: { $gt: trimmedFromWire(request.cursor, "cursor", 64) } }),
        },
        { sort: { code: 1 }, limit: size + 1 },
      );
      const branches = found.slice(0, size);
      return {
        branches: branches.map(branchToWire),
        nextCursor: found.length > size ? (branches.at(-1)?.code ?? "") : "",
      };
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}

/**
 * A manager sets the tenant's markup and the agents' ceiling, an agent their own. Refuses
 * FORBIDDEN.
 */
function ownerFor(owner: string, call: Call): string {
  if (call.caller === "operator") {
    if (owner === "") throw invalidInput("markup.owner", "is required");
    return owner;
  }
  const { role, userId } = requireUser(call);
  if (role === "AGENT") {
    if (owner === "" || owner === userId) return userId;
    throw new Refusal("FORBIDDEN", "an agent sets their own markup only");
  }
  if (owner === tenantOwner || owner === agentLimitOwner) return owner;
  throw invalidInput("markup.owner", `must be ${tenantOwner} or ${agentLimitOwner}`);
}

interface Page {
  below?: number;
  limit: number;
}
type AnyVersion = { version: number; changedAt: Date; changedBy: string };

async function historyOf(
  kind: string,
  text: string,
  tenant: TenantStore,
  page: Page,
  call: Call,
): Promise<AnyVersion[]> {
  const key = trimmedFromWire(text, "key", 160);
  const parts = key.split("-");
  switch (kind) {
    case "CORRIDOR": {
      const [originCountry = "", sendCurrency = "", receivingCountry = "", receivingCurrency = ""] = parts;
      return tenant.corridorHistory({ originCountry, sendCurrency, receivingCountry, receivingCurrency }, page);
    }
    case "MARKUP": {
      const pair = /^(.+)-([A-Z]{3})-([A-Z]{3})$/.exec(key);
      const [owner, sendCurrency, receivingCurrency] = pair === null ? [key, "", ""] : pair.slice(1);
      const isOwn = owner === call.user?.userId || owner === tenantOwner || owner === agentLimitOwner;
      if (call.user?.role === "AGENT" && !isOwn) throw new Refusal("FORBIDDEN", "an agent sees their own markup only");
      return tenant.markups.history({ owner, sendCurrency, receivingCurrency }, page);
    }
    case "DISCLOSURE":
      assertManager(call);
      return tenant.disclosureTemplates.history({ profile: key }, page);
    case "PROMOTION":
      assertManager(call);
      return tenant.promotions.history({ code: key }, page);
    case "PAYOUT_POINT":
      return visible(await tenant.payoutPoints.history({ code: key }, page), call);
    case "BRANCH":
      return visible(await tenant.branches.history({ code: key }, page), call);
    default:
      throw invalidInput("kind", "must be CORRIDOR, DISCLOSURE, MARKUP, PROMOTION, PAYOUT_POINT or BRANCH");
  }
}

/** To agents the versions that were allocated to them or to everybody. */
function visible<T extends { allocatedTo: string }>(versions: T[], call: Call): T[] {
  const { user } = call;
  if (user?.role !== "AGENT") return versions;
  return versions.filter(({ allocatedTo }) => allocatedTo === wholeTenant || allocatedTo === user.userId);
}

function assertManager({ user }: Call): void {
  if (user?.role === "AGENT") throw new Refusal("FORBIDDEN", "the user's role does not allow this");
}

/** As JSON has it: integers of any size and times as text. */
function plainContent(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plainContent);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainContent(member)]));
}
