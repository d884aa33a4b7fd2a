import type { RecordForm } from "../../kernel/mongo/record-collection.js";
import type { Dividend, DividendShare } from "../domain/dividend.js";
import { day, type StoredDividend, type StoredShare } from "./collections.js";

export const dividendForm: RecordForm<Dividend, StoredDividend> = {
  toDocument: ({ amount, from, to, ...rest }) => {
    return { ...rest, from: from.toString(), to: to.toString(), amountMinor: amount.minor, currency: amount.currency };
  },
  fromDocument: ({ amountMinor, currency, from, to, ...rest }) => {
    return { ...rest, from: day(from), to: day(to), amount: { minor: amountMinor, currency } };
  },
};

export const shareForm: RecordForm<DividendShare, StoredShare> = {
  toDocument: ({ amount, ...rest }) => ({ ...rest, amountMinor: amount.minor, currency: amount.currency }),
  fromDocument: ({ amountMinor, currency, ...rest }) => ({ ...rest, amount: { minor: amountMinor, currency } }),
};
