import { z } from "zod";
import type { PartnerBalance as WireBalance } from "../../proto/gen/ledger/v1/partners.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { formatMoney, parseMoney } from "../../services/kernel/money.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import type { Clients } from "../clients.js";
import { readerOf } from "../codec.js";
import { operation } from "../operation.js";
import { route, type EdgeCall } from "../route.js";
import { cursorQuery, idIn, nextCursorOf, pageOf } from "../schema.js";
import { PartnerAlarm, PartnerAlarmRequest, PartnerBalance } from "../shapes/partners.js";
import { booksBase, booksOperation } from "./books.js";

const payoutCode = "partner_settlement";
// As far back as one report reads: what is with a partner for longer is for people to end.
const reportedDays = 366;
const ratedDays = 7n;

/** Minor units by partner and currency. */
type InFlight = ReadonlyMap<string, bigint>;

const alarmOf = readerOf(PartnerAlarm);
const named = (partner: string, currency: string) => `${partner} ${currency}`;

/**
 * What payout partners were handed and have not paid. The books have nothing of a payout before it
 * is paid, so remittance's sums of days say it.
 */
async function inFlightNow(today: string, call: EdgeCall, clients: Clients): Promise<InFlight> {
  const from = Temporal.PlainDate.from(today)
    .subtract({ days: reportedDays - 1 })
    .toString();
  const asked = { from, to: today, by: ["partner"], columns: ["receivedAmount"] };
  const reports = await Promise.all(
    ["ageing", "unclaimed"].map((report) => clients.reports.remittance.getReport({ report, ...asked }, outgoing(call))),
  );
  const sums = new Map<string, bigint>();
  for (const { columns, rows } of reports) {
    const [partnerAt, currencyAt, amountAt] = ["partnerId", "receivingCurrency", "receivedAmount"].map((column) =>
      columns.indexOf(column),
    );
    for (const { cells } of rows) {
      const [partner, currency, amount] = [cells[partnerAt!]!, cells[currencyAt!]!, cells[amountAt!]!];
      const name = named(partner, currency);
      sums.set(name, (sums.get(name) ?? 0n) + (amount === "" ? 0n : parseMoney(amount, currency).minor));
    }
  }
  return sums;
}

const listPartnerBalances = route({
  ...booksOperation,
  method: "get",
  path: `${booksBase}/partners`,
  scopes: ["books:read"],
  summary: "List what partners, acquirers, banks and billers hold or are owed, an account each and currency",
  query: cursorQuery.extend({
    code: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,63}$/, "is not a code of the chart of accounts")
      .optional()
      .meta({ examples: [payoutCode] }),
  }),
  answer: z.object({ partners: z.array(PartnerBalance), nextCursor: leaf.nextCursor.optional() }),
  message: "Partners",
  renames: { cursor: "query.cursor", pageSize: "query.size", code: "query.code" },
  example: { as: "manager@demo.example" },
  run: async ({ query, call, clients }) => {
    const { pageSize, cursor } = pageOf(query);
    const asked = { code: query.code ?? "", pageSize: pageSize || 20, cursor };
    const [answer, { plugins }] = await Promise.all([
      clients.partnerBalances.listPartnerBalances(asked, outgoing(call)),
      clients.plugins.listPlugins({}, outgoing(call)),
    ]);
    const { balances, today } = answer;
    const paysOut = balances.some(({ code }) => code === payoutCode);
    const inFlight: InFlight = paysOut ? await inFlightNow(today, call, clients) : new Map();
    const nameOf = new Map(plugins.map(({ installationId, name }) => [installationId, name]));
    const partners = balances.map((balance) => {
      const { code, partner, currency } = balance;
      const handed = code === payoutCode ? (inFlight.get(named(partner, currency)) ?? 0n) : 0n;
      return balanceOf(balance, nameOf.get(partner) ?? balance.name, handed);
    });
    return { partners, ...nextCursorOf(answer) };
  },
});

function balanceOf(balance: WireBalance, name: string, handedMinor: bigint): z.output<typeof PartnerBalance> {
  const { accountId, code, partner, currency, owedMinor, prefundedMinor, reservedMinor, paidOutMinor, alarm } = balance;
  const text = (minor: bigint) => formatMoney({ minor, currency });
  const inFlight = handedMinor + reservedMinor;
  const available = prefundedMinor - owedMinor - inFlight;
  return {
    accountId,
    code,
    partner,
    name,
    currency,
    owed: text(owedMinor),
    prefunded: text(prefundedMinor),
    inFlight: text(inFlight),
    available: text(available),
    ...(paidOutMinor > 0n && { daysLeft: available > 0n ? (available * ratedDays) / paidOutMinor : 0n }),
    ...(alarm?.belowMinor !== undefined && { alarm: alarmOf(alarm) }),
  };
}

const putPartnerAlarm = operation({
  ...booksOperation,
  method: "put",
  path: `${booksBase}/partners/:accountId/alarm`,
  scopes: ["books:write"],
  summary: "Say below which balance of a partner's account an event is told, or that none is",
  headers: { idempotencyKey: "required" },
  params: z.object({ accountId: idIn }),
  body: PartnerAlarmRequest,
  answer: PartnerAlarm,
  message: "Alarm put",
  renames: { accountId: "path.accountId" },
  example: {
    as: "manager@demo.example",
    params: { accountId: "partner_settlement:no-such-partner:NGN" },
    headers: { "x-idempotency-key": "partner-alarm-1" },
    body: { below: "5000.00" },
    answers: 404,
  },
  rpc: "partnerBalances.putPartnerAlarm",
});

export const partnerRoutes = { listPartnerBalances, putPartnerAlarm };
