import { v7 as uuidv7 } from "uuid";
import {
  SearchScreeningListsRequest,
  SearchScreeningListsResponse,
  type ScreeningServiceDefinition,
} from "../../../../proto/gen/compliance/v1/screening.js";
import { dayOf } from "../../../kernel/time/calendar-day.js";
import type { Call } from "../../../kernel/grpc/context.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { invalidInput } from "../../../kernel/refusal.js";
import type { ScreenedParty } from "../../lists/domain/party.js";
import { statusOf, type Hit, type Screening } from "../domain/screening.js";
import { fingerprintOf } from "../../lists/loading/fingerprint.js";
import { searchedPartyFromWire } from "../wire/screened-party.js";
import { screeningToWire } from "../wire/screenings.js";
import { auditEntry } from "../../common/handlers/audit.js";
import { noScreening, type ScreeningDeps } from "./screening-deps.js";

const operation = "search-screening-lists";
const maxHits = 50;
const defaultHits = 10;
/** Of a name of one word, which many have. */
const defaultHitsOfWord = maxHits;

function defaultLimit({ names }: ScreenedParty): number {
  return names.some((name) => !/\s/.test(name)) ? defaultHitsOfWord : defaultHits;
}

/** A name that somebody looks for in the lists in use. */
export function screeningSearchHandlers({
  store,
  screenings,
  screeningCipher,
  screeningPolicies,
  engine,
  runOnce,
  clock,
  times,
}: ScreeningDeps) {
  /** The search as it is kept. Lists that are away make it an ERROR, with what the others have. */
  async function searched(party: ScreenedParty, requested: { threshold: number; limit: number }, call: Call) {
    const { tenantId } = call;
    const current = await screeningPolicies.forTenant(tenantId).current();
    const policy = { ...current, ...(requested.threshold > 0 && { threshold: requested.threshold }) };
    const { state, reason, basis, lists, matches } = engine.screenBy(tenantId, policy, party, requested.limit + 1);
    const hits = matches.slice(0, requested.limit).map((match, at): Hit => ({
      ...match,
      hitId: `${at + 1}`,
      entryFingerprint: fingerprintOf(match.entry),
      state: "OPEN",
    }));
    const screeningId = uuidv7();
    const screening: Screening = {
      screeningId,
      subject: { kind: "SEARCH", id: screeningId, customerId: "" },
      name: party.names[0]!,
      trigger: "MANUAL",
      lists,
      policyVersion: policy.version,
      basis,
      ...(await screeningCipher.fingerprintsOf(tenantId, party)),
      status: state === "UNAVAILABLE" ? "ERROR" : statusOf(hits),
      hits,
      transactionIds: [],
      screenedAt: (await times.forTenant(tenantId, call.interactionId)).now(),
      ...(reason !== undefined && { reason }),
      ...(matches.length > hits.length && { isCut: true as const }),
      version: 1,
    };
    return screening;
  }

  return {
    async searchScreeningLists(request, call) {
      const party = searchedPartyFromWire(request.party, dayOf(clock.now()));
      const { threshold, limit } = request;
      if (threshold !== 0 && (threshold < 500 || threshold > 1_000))
        throw invalidInput("threshold", "must be 500 to 1000");
      if (limit < 0 || limit > maxHits) throw invalidInput("limit", `must be 1 to ${maxHits}`);
      const tenant = screenings.forTenant(call.tenantId);
      // The kept answer names the search alone: who was looked for lies sealed with it.
      const { screening } = await runOnce({
        operation,
        request,
        requestType: SearchScreeningListsRequest,
        response: SearchScreeningListsResponse,
        call,
        prepare: () => searched(party, { threshold, limit: limit === 0 ? defaultLimit(party) : limit }, call),
        async work(session, found: Screening) {
          const { screeningId } = found;
          await tenant.insert(found, session);
          const entry = auditEntry(call, clock, { action: "screening.search", subject: `screening:${screeningId}` });
          await store.forTenant(call.tenantId).insertAudit(entry, session);
          return { screening: { screeningId } };
        },
      });
      const stored = await tenant.find(screening?.screeningId ?? "");
      if (stored === undefined) throw noScreening();
      return { screening: screeningToWire(stored) };
    },
  } satisfies Partial<Handlers<ScreeningServiceDefinition>>;
}
