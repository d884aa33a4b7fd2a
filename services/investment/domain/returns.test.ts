import { returnsOf, type ReturnEvent } from "./returns.js";

const day = (text: string) => Temporal.PlainDate.from(text);
const event = (
  date: string,
  kind: ReturnEvent["kind"],
  units: bigint,
  grossMinor: bigint,
  costMinor = 0n,
): ReturnEvent => ({ date: day(date), kind, units, grossMinor, costMinor });

// Source of the next five: ghostfolio,
// apps/api/src/app/portfolio/calculator/roai/portfolio-calculator-….spec.ts.
test("ghostfolio, NOVN.SW buy and sell partially", () => {
  const events = [event("2022-03-07", "BUY", 2n, 151_60n, 1_30n), event("2022-04-08", "SELL", 1n, 85_73n, 2_95n)];
  const returns = returnsOf(events, 87_80n, day("2022-04-11"));
  expect(returns).toMatchObject({
    investedMinor: 75_80n,
    grossGainMinor: 21_93n,
    netGainMinor: 17_68n,
    daysInvested: 35,
  });
  expect(returns.timeWeightedInvestment.div(100).toFixed(20)).toBe("145.10285714285714285714");
  expect(returns.grossReturn.toFixed(20)).toBe("0.15113417083448194384");
  expect(returns.netReturn.toFixed(20)).toBe("0.12184460284330327256");
});

test("ghostfolio, BALN.SW buy and sell in two activities", () => {
  const events = [
    event("2021-11-22", "BUY", 2n, 285_80n, 1_55n),
    event("2021-11-30", "SELL", 1n, 136_60n, 1_65n),
    event("2021-11-30", "SELL", 1n, 136_60n),
  ];
  const returns = returnsOf(events, 0n, day("2021-12-18"));
  expect(returns).toMatchObject({ investedMinor: 0n, grossGainMinor: -12_60n, netGainMinor: -15_80n, daysInvested: 8 });
  expect(returns.timeWeightedInvestment.div(100).toFixed(10)).toBe("285.8000000000");
  expect(returns.grossReturn.toFixed(14)).toBe("-0.04408677396781");
  expect(returns.netReturn.toFixed(14)).toBe("-0.05528341497551");
});

test("ghostfolio, BTCUSD buy and sell partially", () => {
  const events = [event("2015-01-01", "BUY", 2n, 640_86n), event("2017-12-31", "SELL", 1n, 14_156_40n)];
  const returns = returnsOf(events, 13_657_20n, day("2018-01-01"));
  expect(returns).toMatchObject({ investedMinor: 320_43n, grossGainMinor: 27_172_74n, daysInvested: 1_096 });
  expect(returns.timeWeightedInvestment.div(100).toFixed(14)).toBe("640.56763686131387");
  expect(returns.grossReturn.toFixed(16)).toBe("42.4197827619615375");
});

test("ghostfolio, NOVN.SW buy and sell", () => {
  const events = [event("2022-03-07", "BUY", 2n, 151_60n), event("2022-04-08", "SELL", 2n, 171_46n)];
  const returns = returnsOf(events, 0n, day("2022-04-11"));
  expect(returns).toMatchObject({ investedMinor: 0n, grossGainMinor: 19_86n, netGainMinor: 19_86n });
  expect(returns.timeWeightedInvestment.div(100).toFixed(4)).toBe("151.6000");
  expect(returns.netReturn.toFixed(20)).toBe("0.13100263852242744063");
});

test("ghostfolio, JNUG buy and sell and buy and sell", () => {
  const events = [
    event("2025-12-11", "BUY", 10n, 1_885_05n, 1_00n),
    event("2025-12-18", "SELL", 10n, 1_890_00n, 1_00n),
    event("2025-12-18", "BUY", 10n, 2_041_10n, 1_00n),
    event("2025-12-28", "SELL", 10n, 2_080_10n, 1_00n),
  ];
  const returns = returnsOf(events, 0n, day("2025-12-28"));
  expect(returns).toMatchObject({ investedMinor: 0n, grossGainMinor: 43_95n, netGainMinor: 39_95n });
  expect(returns.netReturn.toFixed(15)).toBe("0.020208978362720");
});

test("income counts as gain, and what is reinvested is both", () => {
  const income = [event("2025-01-01", "BUY", 10n, 1_000_00n), event("2025-07-01", "INCOME", 0n, 30_00n, 3_00n)];
  const paid = returnsOf(income, 1_000_00n, day("2026-01-01"));
  expect(paid).toMatchObject({ investedMinor: 1_000_00n, grossGainMinor: 30_00n, netGainMinor: 27_00n });
  // 60.00 of interest, 6.00 tax, 54.00 invested again.
  const reinvested = [event("2025-01-01", "BUY", 10n, 1_000_00n), event("2026-01-01", "REINVEST", 0n, 54_00n, 6_00n)];
  const retained = returnsOf(reinvested, 1_054_00n, day("2026-01-01"));
  expect(retained).toMatchObject({ investedMinor: 1_054_00n, grossGainMinor: 60_00n, netGainMinor: 54_00n });
  expect(retained.xirr?.toFixed(6)).toBe("0.054000");
});
