import fc from "fast-check";
import type { PluginRoute } from "../../platform/plugins/route.js";
import { payoutOf, changing, start } from "./payout.js";
import { hold } from "./hold.js";
import { cancel } from "./cancellation.js";
import { hint } from "./accepted-payout-polling.js";
import { applyReport } from "./payout-report.js";
import { settle } from "./payout.js";
import { changed, type Transaction } from "./transaction.js";
import { chooseInstallation, fits, unservedPlaces, type RoutedInstallation } from "./payout-routes.js";

const place = {
  originCountry: "USA",
  sendCurrency: "USD",
  receivingCountry: "NGA",
  receivingCurrency: "NGN",
  method: "ACCOUNTPAYMENT" as const,
};
const route = (part: Partial<PluginRoute> = {}): PluginRoute => ({
  originCountry: "",
  sendCurrency: "",
  receivingCountry: "",
  receivingCurrency: "",
  method: "",
  priority: 1,
  ...part,
});
const installed = (installationId: string, part: Partial<RoutedInstallation> = {}): RoutedInstallation => ({
  installationId,
  status: "ENABLED",
  routes: [route()],
  ...part,
});
const closed = () => false;
const chosen = (all: RoutedInstallation[], open: string[] = []) =>
  chooseInstallation(place, all, ({ installationId }) => open.includes(installationId))?.installationId;

describe("who takes a new payout", () => {
  test("the lowest priority number, of equal ones the older", () => {
    const [a, b, c] = [
      installed("a", { routes: [route({ priority: 2 })] }),
      installed("b", { routes: [route({ priority: 9 }), route({ method: "ACCOUNTPAYMENT", priority: 1 })] }),
      installed("c", { routes: [route({ priority: 1 })] }),
    ];
    expect(chosen([a, b, c])).toBe("b");
    expect(chosen([a, c, b])).toBe("c");
  });

  test("the next one while the breaker of the first is open, nobody while all are", () => {
    const all = [installed("a"), installed("b")];
    expect([chosen(all), chosen(all, ["a"]), chosen(all, ["a", "b"])]).toEqual(["a", "b", undefined]);
  });

  test.each(["DRAFT", "TESTED", "PAUSED", "REMOVING", "REMOVED"])("nobody that is %s", (status) => {
    expect(chosen([installed("a", { status })])).toBeUndefined();
  });

  test.each(["originCountry", "sendCurrency", "receivingCountry", "receivingCurrency", "method"] as const)(
    "a route fits by its %s, or by none",
    (key) => {
      expect(fits(route({ [key]: place[key] }), place)).toBe(true);
      expect(fits(route({ [key]: "OTHER" }), place)).toBe(false);
      expect(fits(route(), place)).toBe(true);
    },
  );
});

describe("corridors that nothing would serve", () => {
  const cash = { ...place, method: "CASH_PICKUP" as const };
  const places = [place, cash];

  test("those that it alone serves, without the routes that it would keep", () => {
    const all = [installed("a")];
    expect(unservedPlaces(places, "a", [], all)).toEqual(places);
    expect(unservedPlaces(places, "a", [route({ method: "CASH_PICKUP" })], all)).toEqual([place]);
  });

  test("none that another enabled one serves; a paused one serves nothing", () => {
    const other = installed("b", { routes: [route({ method: "CASH_PICKUP" })] });
    expect(unservedPlaces(places, "a", [], [installed("a"), other])).toEqual([place]);
    expect(unservedPlaces(places, "a", [], [installed("a"), { ...other, status: "PAUSED" }])).toEqual(places);
  });

  test("none where it serves nothing itself", () => {
    expect(unservedPlaces(places, "a", [], [installed("a", { status: "PAUSED" })])).toEqual([]);
    expect(unservedPlaces(places, "a", [], [installed("a", { routes: [] })])).toEqual([]);
  });
});

const now = new Date("2026-11-24T10:00:00Z");
const amount = { minor: 160_000_00n, currency: "NGN" };
const paid = {
  transactionId: "t",
  status: "PAID",
  version: 1,
  timeline: [],
  releasedPayments: [],
  paidAt: now,
  deliveryMethod: "ACCOUNTPAYMENT",
  processingMode: "REAL_TIME",
  price: { total: { minor: 102_69n, currency: "USD" }, receive: amount },
  payout: { interactionId: "i" },
} as unknown as Transaction;
const report = (status: "ACCEPTED" | "PAID" | "REFUSED" | "RECALLED" | "RETURNED") => ({
  status,
  reason: "",
  amount,
  kept: { minor: 0n, currency: "NGN" },
});

const moves = fc.oneof(
  fc.record({ do: fc.constant("start" as const), to: fc.constantFrom("a", "b", undefined) }),
  fc.record({ do: fc.constantFrom("hold" as const, "cancel" as const, "hint" as const, "settle" as const) }),
  fc.record({
    do: fc.constant("report" as const),
    says: fc.constantFrom(
      "ACCEPTED" as const,
      "PAID" as const,
      "REFUSED" as const,
      "RECALLED" as const,
      "RETURNED" as const,
    ),
  }),
);
type Move = typeof moves extends fc.Arbitrary<infer One> ? One : never;

function after(before: Transaction, move: Move): Transaction {
  const by = { at: now, actor: "remittance" };
  try {
    if (move.do === "start") {
      const change = start(before, now, { installationId: move.to });
      return change === undefined ? before : changed(before, change, by);
    }
    if (move.do === "report") {
      const outcome = applyReport(before, report(move.says), now);
      return outcome.kind === "STEP" ? changed(before, outcome.step.change, by) : before;
    }
    const steps = {
      hold: () => hold(before, now),
      cancel: () => cancel(before, "", now),
      hint: () => hint(before, "PAID", now),
      settle: () => settle(before, report("PAID"), now),
    };
    const step = steps[move.do]();
    return step === undefined ? before : changed(before, step.change, by);
  } catch {
    return before;
  }
}

test("a payout never changes its partner once it was handed over, whatever comes", () => {
  fc.assert(
    fc.property(fc.array(moves, { maxLength: 12 }), (history) => {
      let transaction = paid;
      let handedTo: { installationId: string | undefined } | undefined;
      for (const move of history) {
        transaction = after(transaction, move);
        const { sentAt, installationId } = payoutOf(transaction);
        if (sentAt !== undefined) handedTo ??= { installationId };
        if (handedTo !== undefined) expect(installationId).toBe(handedTo.installationId);
        else expect(installationId).toBeUndefined();
      }
    }),
  );
});

test("what was handed over and is to start again stays where it was", () => {
  const again = {
    ...changed(paid, start(paid, now, { installationId: "a" })!, { at: now, actor: "x" }),
    status: "PAID" as const,
  };
  expect(start(again, now, { installationId: "b" })?.set?.payout?.installationId).toBe("a");
  const atDefault = { ...changed(paid, start(paid, now)!, { at: now, actor: "x" }), status: "PAID" as const };
  expect(start(atDefault, now, { installationId: "b" })?.set?.payout?.installationId).toBeUndefined();
  expect(changing(again, {}).set?.payout?.installationId).toBe("a");
});

test("nobody is chosen whose route does not fit or who is not enabled, and never one before a better one", () => {
  const routes = fc.array(
    fc.record({
      receivingCountry: fc.constantFrom("", "NGA", "GHA"),
      method: fc.constantFrom("", "ACCOUNTPAYMENT", "CASH_PICKUP"),
      priority: fc.integer({ min: 1, max: 3 }),
    }),
    { maxLength: 3 },
  );
  const some = fc.array(fc.record({ status: fc.constantFrom("ENABLED", "PAUSED"), routes }), { maxLength: 5 });
  fc.assert(
    fc.property(some, (drafts) => {
      const all = drafts.map((draft, at) =>
        installed(`i${at}`, { status: draft.status, routes: draft.routes.map(route) }),
      );
      const best = chooseInstallation(place, all, closed);
      const rankOf = (one: RoutedInstallation) =>
        one.status === "ENABLED"
          ? Math.min(Infinity, ...one.routes.filter((each) => fits(each, place)).map(({ priority }) => priority))
          : Infinity;
      const least = Math.min(Infinity, ...all.map(rankOf));
      expect(best).toBe(least === Infinity ? undefined : all.find((one) => rankOf(one) === least));
    }),
  );
});
