import { maxInt64 } from "../../kernel/money.js";
import { chainHash, genesisHash } from "./canonical.js";
import { chartRow } from "./chart.js";
import type { Account, AccountFlag, Figures, LinkedGroup, NewTransfer, Pending } from "./model.js";
import { countDays, type Day } from "./days.js";
import { planGroup, refuseByForm, type Plan, type Tip } from "./planning.js";

const noFigures: Figures = {
  debitsPostedMinor: 0n,
  creditsPostedMinor: 0n,
  debitsPendingMinor: 0n,
  creditsPendingMinor: 0n,
  lastSeq: 0n,
};
const start: Tip = { seq: 0n, hash: genesisHash("tenant") };
const nowMs = 1_800_000_000_000;

function account(
  accountId: string,
  given: { code?: string; currency?: string; flags?: AccountFlag[]; figures?: Partial<Figures> } = {},
): Account {
  const { code = "customer_wallet", currency = "USD", flags = [] } = given;
  const about = { accountId, code, currency, flags, name: accountId, ownerId: "", metadata: [] };
  const info = { ...about, ...chartRow(code)!, createdAt: new Date(0) };
  return { info, figures: { ...noFigures, ...given.figures } };
}

/** A wallet that cannot go below zero. */
function wallet(accountId: string, balance = 0n, figures: Partial<Figures> = {}): Account {
  const flags: AccountFlag[] = ["DEBITS_MUST_NOT_EXCEED_CREDITS"];
  return account(accountId, { flags, figures: { creditsPostedMinor: balance, ...figures } });
}

function move(
  key: string,
  debitAccountId: string,
  creditAccountId: string,
  minor: bigint,
  more: Partial<NewTransfer> = {},
) {
  const amount = { minor, currency: "USD" };
  const texts = { kind: "test", refersTo: "", description: "", metadata: [] };
  return { key, mode: "POSTED", debitAccountId, creditAccountId, amount, ...texts, ...more } as NewTransfer;
}

function resolution(mode: NewTransfer["mode"], key: string, refersTo: string, minor?: bigint): NewTransfer {
  const { amount, ...rest } = move(key, "", "", minor ?? 1n, { mode, refersTo });
  return minor === undefined ? rest : { ...rest, amount: amount! };
}

function linked(...transfers: NewTransfer[]): LinkedGroup {
  return { transfers, createdBy: "user-1", interactionId: "interaction-1", service: "wallet" };
}

/** A ledger in memory: what a plan says is what the next one sees. */
function ledgerOf(...accounts: Account[]) {
  const byId = new Map(accounts.map((one) => [one.info.accountId, one]));
  const pendings = new Map<string, Pending>();
  let tip = start;
  return {
    plan(group: LinkedGroup, timeMs = nowMs, closedThrough?: Day): Plan {
      const view = {
        days: countDays({ timeZone: "Africa/Lagos", aheadMs: 0 }, closedThrough, timeMs),
        account: (id: string) => byId.get(id),
        pending: (key: string) => pendings.get(key),
        reversible: () => undefined,
      };
      const plan = planGroup(group, view, tip, timeMs);
      if (plan.kind === "posted") {
        tip = plan.tip;
        for (const [id, one] of plan.accounts) byId.set(id, one);
        for (const [key, pending] of plan.pendings) pendings.set(key, pending);
      }
      return plan;
    },
    figures: (id: string) => byId.get(id)!.figures,
    pending: (key: string) => pendings.get(key),
  };
}

function refused(plan: Plan) {
  if (plan.kind !== "refused") throw new Error("it was posted");
  return plan;
}

function posted(plan: Plan) {
  if (plan.kind !== "posted") throw new Error(`it was refused: ${plan.refusal.code}`);
  return plan;
}

describe("posting", () => {
  test("moves one amount from one account to another and tells both balances on their normal sides", () => {
    const ledger = ledgerOf(account("bank", { code: "bank_settlement" }), wallet("w1"));
    const { transfers } = posted(ledger.plan(linked(move("k1", "bank", "w1", 700n))));
    // An asset grows by debits, a liability by credits.
    expect(transfers[0]).toMatchObject({ seq: 1n, timeMs: nowMs, debitBalanceMinor: 700n, creditBalanceMinor: 700n });
    expect(ledger.figures("bank")).toEqual({ ...noFigures, debitsPostedMinor: 700n, lastSeq: 1n });
    expect(ledger.figures("w1")).toEqual({ ...noFigures, creditsPostedMinor: 700n, lastSeq: 1n });
  });

  test("chains every transfer to the one before it", () => {
    const ledger = ledgerOf(account("a"), account("b"));
    const first = posted(ledger.plan(linked(move("k1", "a", "b", 1n), move("k2", "a", "b", 2n)))).transfers;
    const second = posted(ledger.plan(linked(move("k3", "b", "a", 3n)))).transfers;
    let hash = start.hash;
    for (const { hash: claimed, ...transfer } of [...first, ...second]) {
      hash = chainHash(transfer, hash);
      expect(claimed).toEqual(hash);
    }
    expect(second[0]!.seq).toBe(3n);
  });

  test("a transfer counts for its own time unless another is given", () => {
    const ledger = ledgerOf(account("a"), account("b"));
    const dated = move("k2", "a", "b", 1n, { effectiveAtMs: nowMs - 86_400_000 });
    const { transfers } = posted(ledger.plan(linked(move("k1", "a", "b", 1n), dated)));
    expect(transfers.map(({ effectiveAtMs }) => effectiveAtMs)).toEqual([nowMs, nowMs - 86_400_000]);
  });

  test("linked transfers see each other, and stand together in their link", () => {
    const ledger = ledgerOf(account("bank", { code: "bank_settlement" }), wallet("w1"), wallet("w2"));
    const { transfers } = posted(ledger.plan(linked(move("k1", "bank", "w1", 100n), move("k2", "w1", "w2", 100n))));
    expect(transfers.map(({ link }) => link)).toEqual([
      { key: "k1", index: 0, size: 2 },
      { key: "k1", index: 1, size: 2 },
    ]);
    expect(ledger.figures("w1")).toMatchObject({ creditsPostedMinor: 100n, debitsPostedMinor: 100n });
  });

  test("linked transfers post all or none", () => {
    const ledger = ledgerOf(wallet("w1", 100n), wallet("w2"), wallet("w3"));
    const plan = refused(ledger.plan(linked(move("k1", "w1", "w2", 60n), move("k2", "w1", "w3", 41n))));
    expect(plan.refusal).toMatchObject({ code: "INSUFFICIENT_FUNDS", transferIndex: 1 });
    expect(plan.refusal).toMatchObject({ availableMinor: 40n, askedMinor: 41n });
    expect(ledger.figures("w2")).toEqual(noFigures);
  });
});

describe("refusals that are decided for good", () => {
  const cases: [string, LinkedGroup, object][] = [
    ["an unknown debit account", linked(move("k", "nobody", "w1", 1n)), { code: "ACCOUNT_NOT_FOUND" }],
    ["an unknown credit account", linked(move("k", "w1", "nobody", 1n)), { code: "ACCOUNT_NOT_FOUND" }],
    ["a closed account", linked(move("k", "w1", "closed", 1n)), { code: "ACCOUNT_CLOSED" }],
    ["an account of another currency", linked(move("k", "w1", "eur", 1n)), { code: "CURRENCY_MISMATCH" }],
    ["more than there is", linked(move("k", "w1", "w2", 101n)), { code: "INSUFFICIENT_FUNDS", availableMinor: 100n }],
    [
      "more than an account can hold",
      linked(move("k", "w1", "full", 2n)),
      { code: "AMOUNT_TOO_LARGE", availableMinor: 1n },
    ],
    [
      "credits beyond debits where they may not",
      linked(move("k", "w1", "drawn", 6n)),
      { availableMinor: 5n, askedMinor: 6n },
    ],
    ["no such pending transfer", linked(resolution("POST_PENDING", "k", "nothing")), { code: "PENDING_NOT_FOUND" }],
  ];
  test.each(cases)("%s", (_name, group, expected) => {
    const drawn = account("drawn", { flags: ["CREDITS_MUST_NOT_EXCEED_DEBITS"], figures: { debitsPostedMinor: 5n } });
    const ledger = ledgerOf(
      wallet("w1", 100n),
      wallet("w2"),
      account("closed", { flags: ["CLOSED"] }),
      account("eur", { currency: "EUR" }),
      account("full", { figures: { creditsPostedMinor: maxInt64 - 1n } }),
      drawn,
    );
    const plan = refused(ledger.plan(group));
    expect(plan.refusal).toMatchObject(expected);
    expect(plan.decided).toBe(true);
  });

  test("the largest amount posts, one unit more does not", () => {
    const ledger = ledgerOf(account("a"), account("b"));
    posted(ledger.plan(linked(move("k1", "a", "b", maxInt64))));
    expect(refused(ledger.plan(linked(move("k2", "a", "b", 1n)))).refusal).toMatchObject({
      code: "AMOUNT_TOO_LARGE",
      availableMinor: 0n,
      askedMinor: 1n,
    });
    // The balance is what is bounded: from one end of it to the other, and back, as often as one
    // likes.
    const { transfers } = posted(ledger.plan(linked(move("k3", "b", "a", maxInt64), move("k4", "b", "a", maxInt64))));
    expect(transfers[0]).toMatchObject({ debitBalanceMinor: 0n, creditBalanceMinor: 0n });
    posted(ledger.plan(linked(move("k5", "a", "b", maxInt64), move("k6", "a", "b", maxInt64))));
    expect(ledger.figures("a")).toMatchObject({ debitsPostedMinor: 3n * maxInt64, creditsPostedMinor: 2n * maxInt64 });
  });
});

describe("refusals that leave the key free", () => {
  test.each([
    ["zero", linked(move("k", "w1", "w2", 0n)), "AMOUNT_NOT_POSITIVE"],
    ["a negative amount", linked(move("k", "w1", "w2", -1n)), "AMOUNT_NOT_POSITIVE"],
    ["one account on both sides", linked(move("k", "w1", "w1", 1n)), "SAME_ACCOUNT"],
    ["a key twice in a group", linked(move("k", "w1", "w2", 1n), move("k", "w2", "w1", 1n)), "KEY_REUSED"],
  ])("%s", (_name, group, code) => {
    expect(refuseByForm(group)?.code).toBe(code);
  });

  test("a debit by a service that does not own the account's code", () => {
    const ledger = ledgerOf(account("fees", { code: "fee_income" }), wallet("w1", 10n));
    const group = linked(move("k1", "w1", "fees", 99n), move("k2", "fees", "w1", 1n));
    const plan = refused(ledger.plan(group));
    // It comes before what the balances say, so that a stranger learns and decides nothing.
    expect(plan.refusal).toMatchObject({ code: "NOT_ACCOUNT_OWNER", transferIndex: 1 });
    expect(plan.decided).toBe(false);
    posted(ledger.plan({ ...group, transfers: [group.transfers[1]!], service: "remittance" }));
  });

  test("the ledger itself takes from what is the organisation's, and never from customers", () => {
    const partner = account("partner", { code: "partner_settlement", figures: { creditsPostedMinor: 5n } });
    const ledger = ledgerOf(partner, account("bank", { code: "own_bank" }), wallet("w1", 10n));
    const own = (transfer: NewTransfer) => ledger.plan({ ...linked(transfer), service: "ledger" });
    expect(refused(own(move("k1", "w1", "bank", 1n)))).toMatchObject({ refusal: { code: "NOT_ACCOUNT_OWNER" } });
    // No further than to zero, where it is asked so; which is kept under the key.
    const beyond = refused(own(move("k2", "partner", "bank", 6n, { staysWithin: "DEBIT" })));
    expect(beyond).toMatchObject({
      decided: true,
      refusal: { code: "INSUFFICIENT_FUNDS", availableMinor: 5n, askedMinor: 6n },
    });
    posted(own(move("k3", "partner", "bank", 5n, { staysWithin: "DEBIT" })));
    posted(own(move("k4", "partner", "bank", 1n)));
  });

  test("an account may come beyond zero by its credit line, and no further", () => {
    const ledger = ledgerOf(
      account("partner", { code: "partner_settlement", figures: { creditsPostedMinor: 5n } }),
      account("bank", { code: "own_bank" }),
      wallet("w1", 5n),
    );
    const own = (key: string, minor: bigint, beyondMinor: bigint) =>
      ledger.plan({
        ...linked(move(key, "partner", "bank", minor, { staysWithin: "DEBIT", beyondMinor })),
        service: "ledger",
      });
    expect(refused(own("k1", 9n, 3n)).refusal).toMatchObject({
      code: "INSUFFICIENT_FUNDS",
      availableMinor: 8n,
      askedMinor: 9n,
    });
    posted(own("k2", 7n, 3n));
    // Three beyond zero is where the line ends, however often it is drawn on.
    expect(refused(own("k3", 2n, 3n)).refusal).toMatchObject({ availableMinor: 1n });
    posted(own("k4", 1n, 3n));
    posted(own("k5", 1n, 2n ** 63n - 1n));
    const flagged = refused(
      ledger.plan(linked(move("k6", "w1", "bank", 6n, { staysWithin: "DEBIT", beyondMinor: 9n }))),
    );
    expect(flagged.refusal).toMatchObject({ code: "INSUFFICIENT_FUNDS", availableMinor: 5n });
  });

  test("resolving a pending transfer of another service's account", () => {
    const ledger = ledgerOf(wallet("w1", 10n), wallet("w2"));
    posted(ledger.plan(linked(move("p", "w1", "w2", 5n, { mode: "PENDING" }))));
    const plan = refused(ledger.plan({ ...linked(resolution("VOID_PENDING", "v", "p")), service: "remittance" }));
    expect(plan).toMatchObject({ refusal: { code: "NOT_ACCOUNT_OWNER" }, decided: false });
  });
});

describe("two-phase transfers", () => {
  function withPending(minor = 60n, more: Partial<NewTransfer> = {}) {
    const ledger = ledgerOf(wallet("w1", 100n), wallet("w2"));
    const plan = posted(ledger.plan(linked(move("p", "w1", "w2", minor, { mode: "PENDING", ...more }))));
    return { ...ledger, transfer: plan.transfers[0]! };
  }

  test("a reservation holds the money without moving it", () => {
    const { transfer, figures, plan } = withPending();
    expect(transfer).toMatchObject({ debitBalanceMinor: 100n, creditBalanceMinor: 0n });
    expect(figures("w1")).toMatchObject({ debitsPostedMinor: 0n, debitsPendingMinor: 60n });
    expect(figures("w2")).toMatchObject({ creditsPostedMinor: 0n, creditsPendingMinor: 60n });
    // Neither the payer nor the payee can spend it.
    expect(refused(plan(linked(move("k", "w1", "w2", 41n)))).refusal).toMatchObject({ availableMinor: 40n });
    expect(refused(plan(linked(move("k", "w2", "w1", 1n)))).refusal).toMatchObject({ availableMinor: 0n });
  });

  test("posts in full", () => {
    const { plan, figures, pending } = withPending();
    const { transfers } = posted(plan(linked(resolution("POST_PENDING", "r", "p"))));
    expect(transfers[0]).toMatchObject({ debitAccountId: "w1", creditAccountId: "w2", amountMinor: 60n });
    expect(transfers[0]).toMatchObject({ debitBalanceMinor: 40n, creditBalanceMinor: 60n });
    expect(figures("w1")).toMatchObject({ debitsPostedMinor: 60n, debitsPendingMinor: 0n });
    expect(pending("p")).toMatchObject({ state: "POSTED", resolvedBy: "r" });
  });

  test("posts in part and releases the rest", () => {
    const { plan, figures } = withPending();
    posted(plan(linked(resolution("POST_PENDING", "r", "p", 25n))));
    expect(figures("w1")).toMatchObject({ debitsPostedMinor: 25n, debitsPendingMinor: 0n });
    expect(figures("w2")).toMatchObject({ creditsPostedMinor: 25n, creditsPendingMinor: 0n });
    posted(plan(linked(move("k", "w1", "w2", 75n))));
  });

  test("refuses to post more than is reserved, or in another currency", () => {
    const { plan } = withPending();
    expect(refused(plan(linked(resolution("POST_PENDING", "r", "p", 61n))))).toMatchObject({
      refusal: { code: "PENDING_AMOUNT_EXCEEDED", availableMinor: 60n, askedMinor: 61n },
      decided: true,
    });
    const euros = { ...resolution("POST_PENDING", "r", "p"), amount: { minor: 1n, currency: "EUR" } };
    expect(refused(plan(linked(euros))).refusal.code).toBe("CURRENCY_MISMATCH");
  });

  test("voids, and then cannot be resolved again", () => {
    const { plan, figures } = withPending();
    const { transfers } = posted(plan(linked(resolution("VOID_PENDING", "v", "p"))));
    expect(transfers[0]).toMatchObject({ amountMinor: 60n, debitBalanceMinor: 100n, creditBalanceMinor: 0n });
    expect(figures("w1")).toMatchObject({ debitsPendingMinor: 0n, debitsPostedMinor: 0n });
    for (const mode of ["POST_PENDING", "VOID_PENDING", "EXPIRE_PENDING"] as const) {
      expect(refused(plan(linked(resolution(mode, "x", "p")))).refusal.code).toBe("PENDING_ALREADY_RESOLVED");
    }
  });

  test("past its timeout it is refused, whether or not it has been released", () => {
    const { plan, figures } = withPending(60n, { timeoutMs: 1_000 });
    posted(plan(linked(move("k", "w1", "w2", 1n)), nowMs + 999));
    const late = resolution("POST_PENDING", "r", "p");
    expect(refused(plan(linked(late), nowMs + 1_000)).refusal.code).toBe("PENDING_EXPIRED");
    posted(plan(linked(resolution("EXPIRE_PENDING", "p#expired", "p")), nowMs + 1_000));
    expect(figures("w1")).toMatchObject({ debitsPendingMinor: 0n });
    expect(refused(plan(linked(late), nowMs + 1_001)).refusal.code).toBe("PENDING_EXPIRED");
  });

  test("is not released early, and asking for that decides nothing", () => {
    const { plan } = withPending(60n, { timeoutMs: 1_000 });
    const early = plan(linked(resolution("EXPIRE_PENDING", "p#expired", "p")), nowMs + 999);
    expect(refused(early)).toMatchObject({ refusal: { code: "STATE_CONFLICT" }, decided: false });
  });

  test("can be made and posted in one group", () => {
    const ledger = ledgerOf(wallet("w1", 100n), wallet("w2"));
    const make = move("p", "w1", "w2", 60n, { mode: "PENDING" });
    posted(ledger.plan(linked(make, resolution("POST_PENDING", "r", "p", 10n))));
    expect(ledger.figures("w1")).toMatchObject({ debitsPostedMinor: 10n, debitsPendingMinor: 0n, lastSeq: 2n });
    expect(ledger.pending("p")).toMatchObject({ state: "POSTED", amountMinor: 60n });
  });

  test("counts towards what an account can hold", () => {
    const ledger = ledgerOf(account("a"), account("b"));
    posted(ledger.plan(linked(move("p", "a", "b", maxInt64, { mode: "PENDING" }))));
    expect(refused(ledger.plan(linked(move("k", "a", "b", 1n)))).refusal.code).toBe("AMOUNT_TOO_LARGE");
    posted(ledger.plan(linked(resolution("POST_PENDING", "r", "p"))));
    expect(ledger.figures("a")).toMatchObject({ debitsPostedMinor: maxInt64, debitsPendingMinor: 0n });
  });

  test("fits int64 by itself, whatever the balance", () => {
    const ledger = ledgerOf(account("a", { figures: { creditsPostedMinor: maxInt64 } }), account("b"), account("c"));
    posted(ledger.plan(linked(move("p", "a", "b", maxInt64, { mode: "PENDING" }))));
    expect(refused(ledger.plan(linked(move("q", "a", "c", 1n, { mode: "PENDING" })))).refusal).toMatchObject({
      code: "AMOUNT_TOO_LARGE",
      availableMinor: 0n,
    });
    posted(ledger.plan(linked(move("k", "a", "c", 1n))));
  });
});
