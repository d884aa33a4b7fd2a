import { sourceOf } from "./source.js";

const id = "01a22c7b-01c5-7754-9dfc-ecc5fb5d44ea";
const of = (transferId: string, kind: string, description?: string) => sourceOf({ transferId, kind, description });

test("a transfer leads to what it was posted for", () => {
  expect(of(`manual:${id}:0`, "manual_journal", "Rent")).toEqual({ of: "journal", to: `/journals/${id}` });
  expect(of(`settlement:${id}:bank`, "settlement_bank", "Settlement WIRE-1")).toEqual({
    of: "settlement",
    to: `/settlements/${id}`,
  });
  expect(of(`settlement:${id}:bank:reversal`, "settlement_reversal")).toEqual({
    of: "settlement",
    to: `/settlements/${id}`,
  });
  // A payout's transfer begins with the same word and is of no settlement.
  expect(of(`settlement:${id}:receive`, "settlement", "Payout of MN01X7A89PGR")).toEqual({
    of: "transaction",
    to: "/transactions?search=MN01X7A89PGR",
    code: "MN01X7A89PGR",
  });
  expect(of(`settlement:${id}:receive`, "settlement")).toBeUndefined();
  expect(of("fx:exchange_position:NGN:12", "fx_result")).toEqual({ of: "positions", to: "/positions" });
  expect(of("top-up:1", "card_top_up", "MN01")).toBeUndefined();
});
