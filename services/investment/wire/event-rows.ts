import { readerOf } from "../../platform/events/shapes/codec.js";
import { Investment } from "../../platform/events/shapes/investment-shape.js";
import { formatMoney, money } from "../../kernel/money.js";
import { eventRow } from "../../platform/events/row.js";
import type { NewRow } from "../../kernel/outbox/index.js";
import type { DividendShare } from "../domain/dividend.js";
import type { Holding } from "../domain/holding.js";
import { holdingToWire } from "./holdings.js";

const holdingOf = readerOf(Investment);

export type InvestmentEvent = "investment.accepted" | "investment.matured" | "investment.redeemed";

type Cause = { tenantId: string; interactionId: string; createdBy: string };

/**
 * Tells what became of a holding, as its owner reads it after the change that raised its version to
 * what it is.
 */
export function investmentEventRow(cause: Cause, type: InvestmentEvent, holding: Holding, at: Date): NewRow {
  const { tenantId, interactionId, createdBy: actor } = cause;
  const { holdingId: subjectId, version, customerId } = holding;
  const data = holdingOf(holdingToWire(holding));
  return eventRow({ tenantId, interactionId, actor }, { type, subjectId, version, at, customerId, data });
}

/** Tells that a share of a dividend is in the wallet. */
export function dividendRow(cause: Cause, share: DividendShare, holding: Holding, at: Date): NewRow {
  const { tenantId, interactionId, createdBy: actor } = cause;
  const { holdingId: subjectId, version, customerId } = holding;
  const { dividendId, amount, taxMinor } = share;
  const { currency } = amount;
  const tax = formatMoney(money(taxMinor, currency));
  const dividend = { dividendId, amount: formatMoney(amount), tax, currency };
  const data = { ...holdingOf(holdingToWire(holding)), dividend };
  const about = { subjectId, version, at, customerId };
  return eventRow({ tenantId, interactionId, actor }, { type: "investment.dividend_paid", ...about, data });
}
