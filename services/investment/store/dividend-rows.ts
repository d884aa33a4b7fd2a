import type { Dividend, DividendShare } from "../domain/dividend.js";
import { day, type DividendRow, type ShareRow } from "./collections.js";

export function dividendToDocument({ dividendId, amount, from, to, ...rest }: Dividend): Omit<DividendRow, "tenantId"> {
  const dates = { from: from.toString(), to: to.toString() };
  return { ...rest, ...dates, _id: dividendId, amountMinor: amount.minor, currency: amount.currency };
}

export function dividendFromDocument(row: DividendRow): Dividend {
  const { _id, tenantId: _tenantId, amountMinor, currency, from, to, ...rest } = row;
  return { ...rest, dividendId: _id, from: day(from), to: day(to), amount: { minor: amountMinor, currency } };
}

export function shareToDocument({ shareId, amount, ...rest }: DividendShare): Omit<ShareRow, "tenantId"> {
  return { ...rest, _id: shareId, amountMinor: amount.minor, currency: amount.currency };
}

export function shareFromDocument({
  _id,
  tenantId: _tenantId,
  amountMinor,
  currency,
  ...rest
}: ShareRow): DividendShare {
  return { ...rest, shareId: _id, amount: { minor: amountMinor, currency } };
}
