import type {
  PartnerAlarm as WireAlarm,
  PartnerBalance as WireBalance,
} from "../../../proto/gen/ledger/v1/partners.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { maxInt64 } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import {
  isPartnerCode,
  partnerCodes,
  paysOut,
  standingOf,
  type PartnerAlarm,
  type PartnerCode,
} from "../domain/partner-balance.js";
import type { PartnerAccount } from "../store/partners.js";

/** All where none is named. Refuses INVALID_INPUT. */
export function codesFromWire(code: string): readonly PartnerCode[] {
  if (code === "") return partnerCodes;
  if (isPartnerCode(code)) return [code];
  throw invalidInput("code", `must be one of ${partnerCodes.join(", ")}`);
}

/** Whose an account is: an installation, "operator", or a biller's code. */
export function partnerOf({ account: { info } }: Pick<PartnerAccount, "account">): string {
  const of = (name: string) => info.metadata.find(([one]) => one === name)?.[1];
  return of("partner") ?? of("payee") ?? "";
}

export function balanceToWire({ account, days, alarm }: PartnerAccount): WirePartial<WireBalance> {
  const { accountId, code, name, currency } = account.info;
  const { owedMinor, prefundedMinor, reservedMinor } = standingOf(account);
  const goesOut = isPartnerCode(code) && paysOut(code);
  const paidOut = goesOut ? days.reduce((sum, { creditsMinor }) => sum + creditsMinor, 0n) : 0n;
  return {
    accountId,
    code,
    partner: partnerOf({ account }),
    name,
    currency,
    owedMinor,
    prefundedMinor,
    reservedMinor,
    paidOutMinor: paidOut < maxInt64 ? paidOut : maxInt64,
    alarm: alarm && alarmToWire(alarm),
  };
}

export function alarmToWire(alarm: PartnerAlarm): WirePartial<WireAlarm> {
  const { accountId, currency, belowMinor, isLow, since, changedBy, changedAt } = alarm;
  return { accountId, currency, belowMinor, isLow, since, changedBy, changedAt };
}
