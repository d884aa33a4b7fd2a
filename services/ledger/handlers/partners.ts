import {
  PutPartnerAlarmRequest,
  PutPartnerAlarmResponse,
  type PartnerServiceDefinition,
} from "../../../proto/gen/ledger/v1/partners.js";
import { actorOf } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { parseSignedMoney } from "../../kernel/money.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { dayText, parseDay } from "../domain/days.js";
import { isPartnerCode } from "../domain/partner-balance.js";
import { cursorOf, positionOf } from "../wire/cursor.js";
import { alarmToWire, balanceToWire, codesFromWire } from "../wire/partners.js";
import { idFromWire } from "../wire/values.js";
import { pageSize, type LedgerDeps } from "./deps.js";

// Whole days, so that a rate does not rise from morning to evening.
const ratedDays = 7;

type PartnerDeps = Pick<LedgerDeps, "store" | "partners" | "partnerAlarms" | "businessClock" | "runOnce" | "clock">;

/** What partners hold for the organisation, and below what people are told. */
export function partnerHandlers({ store, partners, partnerAlarms, businessClock, runOnce, clock }: PartnerDeps) {
  return {
    async listPartnerBalances({ code, pageSize: requested, cursor }, call) {
      const codes = codesFromWire(code);
      const scope = ["partner-balances", call.tenantId, code];
      const limit = pageSize(requested, "pageSize");
      const afterId = positionOf(scope, cursor) ?? "";
      const time = await businessClock.forTenant(call.tenantId, call.interactionId);
      const today = parseDay(time.today().toString())!;
      const wanted = { codes, afterId, limit: limit + 1, from: today - ratedDays, to: today - 1 };
      const found = await partners.forTenant(call.tenantId).page(wanted);
      const page = found.slice(0, limit);
      const nextCursor = found.length > limit ? cursorOf(scope, page.at(-1)!.account.info.accountId) : "";
      return { balances: page.map(balanceToWire), nextCursor, today: dayText(today) };
    },

    async putPartnerAlarm(request, call) {
      const accountId = idFromWire(request.accountId, "accountId");
      return runOnce({
        operation: "put-partner-alarm",
        request,
        requestType: PutPartnerAlarmRequest,
        response: PutPartnerAlarmResponse,
        call,
        prepare: async () => {
          const [account] = await store.forTenant(call.tenantId).findAccounts([accountId]);
          if (account === undefined) throw new Refusal("ACCOUNT_NOT_FOUND", `no account ${accountId}`);
          const { code, currency } = account.info;
          if (!isPartnerCode(code)) throw invalidInput("accountId", `${accountId} of ${code} is no partner's account`);
          const { below } = request;
          const belowMinor = below === "" ? undefined : parseSignedMoney(below, currency, "below").minor;
          return { accountId, currency, ...(belowMinor !== undefined && { belowMinor }) };
        },
        work: async (session, put) => {
          const by = { changedBy: actorOf(call), changedAt: clock.now() };
          const alarm = await partners.forTenant(call.tenantId).putAlarm({ ...put, ...by }, session);
          return { alarm: alarmToWire(alarm) };
        },
        after: async () => partnerAlarms.wake(call.tenantId),
      });
    },
  } satisfies Partial<Handlers<PartnerServiceDefinition>>;
}
