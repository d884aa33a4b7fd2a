import { charts, figureReports, pairsOf, pointsOf, timesBetween } from "./figures.js";
import type { FigureRow } from "./types.js";

const row = (cells: object) => ({ sendCurrency: "USD", receivingCurrency: "NGN", ...cells }) as unknown as FigureRow;

test("days without rows are drawn as nothing, and their times not at all", () => {
  const times = timesBetween("2026-11-29", "2026-12-01", "day");
  const [volume] = charts.volume;
  const drawn = pointsOf(volume!, [row({ day: "2026-11-30", paidAmount: "92233720368547758.07" })], "day", times);
  expect(drawn.points.map(({ at, texts }) => [at, texts["paidAmount"]])).toEqual([
    ["2026-11-29", "0"],
    ["2026-11-30", "92233720368547758.07"],
    ["2026-12-01", "0"],
  ]);
  const [seconds] = charts.success;
  const took = pointsOf(seconds!, [row({ day: "2026-11-30", p50: 12n, p90: 40n, p99: 41n })], "day", times);
  expect(took.points.map(({ texts }) => texts)).toEqual([{}, { p50: "12", p90: "40", p99: "41" }, {}]);
});

test("reasons are series of their own, summed where outcomes differ", () => {
  const rows = [
    row({ month: "2026-11", outcome: "FAILED", reason: "REFUSED", count: 2n }),
    row({ month: "2026-11", outcome: "RETURNED", reason: "REFUSED", count: 3n }),
    row({ month: "2026-11", outcome: "EXPIRED", reason: "NOT_PAID", count: 1n }),
  ];
  const { series, points } = pointsOf(
    charts.failures[0]!,
    rows,
    "month",
    timesBetween("2026-11-05", "2026-12-02", "month"),
  );
  expect(series).toEqual(["NOT_PAID", "REFUSED"]);
  expect(points).toEqual([
    { at: "2026-11", texts: { NOT_PAID: "1", REFUSED: "5" } },
    { at: "2026-12", texts: { NOT_PAID: "0", REFUSED: "0" } },
  ]);
});

test("pairs of currencies are named, the one with the most rows first", () => {
  expect(pairsOf([row({ receivingCurrency: "KES" }), row({}), row({})])).toEqual(["USD → NGN", "USD → KES"]);
});

test("partners' costs are summed by partner, exactly, in the rows' only currency", () => {
  const rows = [
    { month: "2026-11", partnerId: "p-1", currency: "USD", cost: "0.10" },
    { month: "2026-11", partnerId: "p-1", currency: "USD", cost: "92233720368547758.07" },
    { month: "2026-11", partnerId: "operator", currency: "USD", cost: "-0.50" },
  ] as unknown as FigureRow[];
  const { series, points } = pointsOf(charts["partner-costs"][0]!, rows, "month", ["2026-11"]);
  expect(series).toEqual(["operator", "p-1"]);
  expect(points).toEqual([{ at: "2026-11", texts: { operator: "-0.50", "p-1": "92233720368547758.17" } }]);
  expect(pairsOf(rows)).toEqual(["USD"]);
  expect(figureReports(false)).not.toContain("result");
});
