import type { Amendment } from "../domain/amendment.js";
import type { Trace } from "../domain/trace.js";

/** As JSON has it: its moments are text. */
type Sealed<T> = { [Name in keyof T]: Extract<T[Name], Date> extends never ? T[Name] : string };

export type SealedAmendment = Omit<Sealed<Amendment>, "payeeCheck"> & {
  payeeCheck?: Sealed<NonNullable<Amendment["payeeCheck"]>>;
};

/** An amendment as it lay sealed, with its moments. */
export function amendmentFromSealed({ askedAt, appliedAt, payeeCheck, ...kept }: SealedAmendment): Amendment {
  const { checkedAt, acceptedAt, ...verdict } = payeeCheck ?? {};
  return {
    ...kept,
    askedAt: new Date(askedAt),
    ...(appliedAt !== undefined && { appliedAt: new Date(appliedAt) }),
    ...(payeeCheck !== undefined && {
      payeeCheck: {
        ...(verdict as Omit<NonNullable<Amendment["payeeCheck"]>, "checkedAt" | "acceptedAt">),
        checkedAt: new Date(checkedAt!),
        ...(acceptedAt !== undefined && { acceptedAt: new Date(acceptedAt) }),
      },
    }),
  };
}

export type SealedTrace = Sealed<Trace>;

/** A trace as it lay sealed, with its moments. */
export function traceFromSealed({ askedAt, screenedAt, sentAt, endedAt, ...kept }: SealedTrace): Trace {
  return {
    ...kept,
    askedAt: new Date(askedAt),
    ...(screenedAt !== undefined && { screenedAt: new Date(screenedAt) }),
    ...(sentAt !== undefined && { sentAt: new Date(sentAt) }),
    ...(endedAt !== undefined && { endedAt: new Date(endedAt) }),
  };
}
