import { assertCurrency } from "../../kernel/codes/currencies.js";
import { asUtc } from "../../kernel/time/iso-time.js";
import { invalidInput } from "../../kernel/refusal.js";
import { readTable, type Cells, type ReadTable } from "./table.js";
import type { RateLine } from "../domain/rate.js";
import { rateFromWire } from "../wire/rates.js";

const columns = ["sendCurrency", "receivingCurrency", "exchangeRate", "source", "validFrom", "validUntil"] as const;
type Column = (typeof columns)[number];

/** Reads rates from CSV text. Refuses INVALID_INPUT as csv.ts says. */
export function ratesFromCsv(text: string, now: Date): Promise<ReadTable<RateLine>> {
  return readTable<Column, RateLine>(text, {
    columns,
    required: ["sendCurrency", "receivingCurrency", "exchangeRate"],
    read: (cells) => lineFromCells(cells, now),
    keyOf: ({ rate: { sendCurrency, receivingCurrency, validFrom } }) => ({
      key: `${sendCurrency} ${receivingCurrency} ${validFrom.toISOString()}`,
      column: "sendCurrency",
    }),
    spelled: { rate: "exchangeRate" },
  });
}

function lineFromCells(cells: Cells<Column>, now: Date): RateLine {
  const currency = (column: "sendCurrency" | "receivingCurrency") => assertCurrency(cells[column] ?? "", column);
  const statedFrom = instantOf(cells, "validFrom");
  const rate = rateFromWire(
    {
      sendCurrency: currency("sendCurrency"),
      receivingCurrency: currency("receivingCurrency"),
      rate: cells.exchangeRate ?? "",
      source: cells.source ?? "",
      validFrom: statedFrom,
      validUntil: instantOf(cells, "validUntil"),
    },
    now,
  );
  return { rate, statedFrom };
}

/** An ISO 8601 time, UTC where it names no offset, or nothing said. Refuses INVALID_INPUT. */
function instantOf(cells: Cells<Column>, column: "validFrom" | "validUntil"): Date | undefined {
  const text = cells[column];
  if (!text) return undefined;
  try {
    return new Date(Temporal.Instant.from(asUtc(text)).epochMilliseconds);
  } catch {
    throw invalidInput(column, "must be a time such as 2026-11-21T08:00:00Z");
  }
}
