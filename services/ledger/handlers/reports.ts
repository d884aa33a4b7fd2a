import { invalidInput } from "../../kernel/refusal.js";
import type { AnyServedService } from "../../kernel/grpc/server.js";
import { serveReports, type ReportFact } from "../../platform/reports/serve-reports.js";
import { dayText, parseDay } from "../domain/days.js";
import { resultCodes } from "../domain/year-end.js";
import { resultDays, type ResultDay } from "../store/result-days.js";
import type { LedgerDeps } from "./deps.js";

/** Days of accounts that one report reads. */
const mostDays = 40_000;
const partnerFees = "partner_fees";

/** What the books earned and spent by day, and of that what partners kept of settlements. */
export function serveLedgerReports({ db, businessClock }: Pick<LedgerDeps, "db" | "businessClock">): AnyServedService {
  return serveReports({
    owner: "ledger",
    clock: businessClock,
    async read({ report, from, to }, _time, { tenantId }) {
      const codes = report === "partner-costs" ? [partnerFees] : resultCodes;
      const days = { from: parseDay(from)!, to: parseDay(to)!, codes };
      const found = await resultDays(db, tenantId, days, mostDays);
      if (found === undefined) {
        throw invalidInput("to", `the report reads more than ${mostDays} days of accounts: ask for fewer days`);
      }
      return found.map(factOf);
    },
  });
}

function factOf({ account: { accountId, code, currency, type }, day, minor }: ResultDay): ReportFact {
  const text = dayText(day);
  const about = { day: text, month: text.slice(0, 7), code, partnerId: partnerOf(accountId), currency };
  const isIncome = type === "INCOME";
  const figures = { income: isIncome ? minor : 0n, expense: isIncome ? 0n : -minor, result: minor, cost: -minor };
  return { about, figures };
}

/** Between its code and its currency an account has who it is of: "partner_fees:p-1:USD". */
const partnerOf = (accountId: string): string =>
  accountId.startsWith(`${partnerFees}:`) ? accountId.split(":").slice(1, -1).join(":") : "";
