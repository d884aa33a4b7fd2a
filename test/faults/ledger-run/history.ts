import type { Account, GroupResult } from "../../../proto/gen/ledger/v1/ledger.js";
import type { LinkedGroup } from "../../../services/ledger/domain/model.js";

/** A linked group that was sent, once or more often under its keys, and what was answered. */
export interface Sent {
  readonly group: LinkedGroup;
  /** Order of what callers saw: when it was first sent, and when its first answer came. */
  readonly begun: number;
  ended: number | undefined;
  endedAtMs: number;
  readonly answers: GroupResult[];
}

/** Something that was read: `rows` of a list by several pages, or figures of one moment. */
export type Reading = { readonly begun: number; readonly ended: number } & (
  | { readonly kind: "accounts"; readonly accounts: readonly Account[] }
  | { readonly kind: "balance"; readonly accountId: string; readonly balance: bigint; readonly sequence: bigint }
  | { readonly kind: "trial balance"; readonly lines: ReadonlyMap<string, readonly [bigint, bigint]> }
  | { readonly kind: "statement"; readonly accountId: string; readonly sequences: readonly bigint[] }
  | { readonly kind: "export"; readonly sequences: readonly bigint[] }
  | { readonly kind: "list"; readonly ids: readonly string[] }
);

/** A closing of an account, or of the days through one, asked until it was answered. */
export interface Closing {
  readonly closes: string | number;
  readonly begun: number;
  readonly ended: number;
  /** The day through which days are closed then; the code of a refusal. */
  readonly answer: "closed" | number | "ACCOUNT_NOT_EMPTY";
}

/** What callers saw, in the order in which they saw it. */
export function createHistory() {
  const sent = new Map<string, Sent>();
  const readings: Reading[] = [];
  const closings: Closing[] = [];
  let now = 0;
  return {
    sent,
    readings,
    closings,
    tick: () => ++now,
    /** Noted before it is sent; again under the same keys it is the same one. */
    begin(group: LinkedGroup): Sent {
      const key = group.transfers[0]!.key;
      const known = sent.get(key);
      if (known !== undefined) return known;
      const one: Sent = { group, begun: ++now, ended: undefined, endedAtMs: 0, answers: [] };
      sent.set(key, one);
      return one;
    },
    answered(one: Sent, result: GroupResult): void {
      one.answers.push(result);
      if (one.ended !== undefined) return;
      one.ended = ++now;
      one.endedAtMs = Date.now();
    },
  };
}

export type History = ReturnType<typeof createHistory>;
