import { boundedJson, JsonFault } from "../../kernel/formats/bounded-json.js";
import { Refusal } from "../../kernel/refusal.js";
import { parseDecimal, type Decimal } from "../../kernel/decimal.js";
import { createXmlFeed } from "../../kernel/formats/xml-feed.js";
import { quotientText } from "../../kernel/quotient.js";
import { nameOfPair, type ReadRate } from "../domain/guard-band.js";
import { maxRateDigits } from "../domain/rate.js";
import { rateFromWire } from "./rates.js";

/** A document of a source that cannot be read at all: none of it is used. */
export class RateDocumentFault extends Error {
  override readonly name = "RateDocumentFault";
}

/** Why one rate of a document is not used. */
export interface RateFault {
  /** Such as "rates.3" or "EUR-NGN". */
  at: string;
  message: string;
}

export interface RateDocument {
  rates: ReadRate[];
  faults: RateFault[];
  /** As of when it is, by the source's clock. */
  at: Date;
}

export interface ReadingOf {
  /** The tenant's time, and how far it is ahead of the source's. */
  now: Date;
  aheadMs: number;
  source: string;
  validForMs: number;
  pairs: readonly string[];
}

const maxRates = 5_000;

/** A document of the contract for rates (docs/plugins.md). Throws RateDocumentFault. */
export function ratesFromJson(text: string, of: ReadingOf): RateDocument {
  const { rates: lines, at } = objectOf(text);
  if (!Array.isArray(lines)) throw new RateDocumentFault("rates is no list");
  if (lines.length > maxRates) throw new RateDocumentFault(`has more than ${maxRates} rates`);
  const asOf = timeOf(at);
  if (asOf === undefined) throw new RateDocumentFault("at is no time such as 2026-11-24T08:00:00Z");
  return {
    ...collected(
      lines.map((line, index) => [`rates.${index}`, () => rateOfLine(line, of)]),
      of.pairs,
    ),
    at: asOf,
  };
}

/** The ECB's daily reference rates, and crosses of them. Throws RateDocumentFault. */
export function ratesFromEcb(text: string, of: ReadingOf): RateDocument {
  const { quotes, day } = quotesOf(text);
  const lines = of.pairs.map((pair): [string, () => ReadRate] => {
    const [sendCurrency = "", receivingCurrency = ""] = pair.split("-");
    const quote = (currency: string) => {
      const found = quotes.get(currency);
      if (found === undefined) throw new RateDocumentFault(`the document has no ${currency}`);
      return parseDecimal(found, currency);
    };
    const cross = () => {
      const [from, to] = [quote(sendCurrency), quote(receivingCurrency)];
      assertAboveZero(from, sendCurrency);
      assertAboveZero(to, receivingCurrency);
      return reckoned({ sendCurrency, receivingCurrency, rate: quotientText(to, from, maxRateDigits) }, of);
    };
    return [pair, cross];
  });
  // Published at about 16:00 of Frankfurt; noon is never ahead of that.
  return { ...collected(lines, of.pairs), at: new Date(`${day}T12:00:00Z`) };
}

/** The rates that can be used, in the order of their beginnings; of what is said twice none is. */
function collected(lines: [at: string, read: () => ReadRate][], pairs: readonly string[]): Omit<RateDocument, "at"> {
  const faults: RateFault[] = [];
  const found = new Map<string, { at: string; read: ReadRate }[]>();
  for (const [at, read] of lines) {
    try {
      const one = read();
      const pair = nameOfPair(one.rate);
      if (pairs.length > 0 && !pairs.includes(pair)) continue;
      const key = `${pair} ${one.rate.validFrom.getTime()}`;
      found.set(key, [...(found.get(key) ?? []), { at, read: one }]);
    } catch (error) {
      if (!(error instanceof Refusal) && !(error instanceof RateDocumentFault)) throw error;
      faults.push({ at, message: error.message });
    }
  }
  const twice = [...found.values()].filter(({ length }) => length > 1).flat();
  faults.push(...twice.map(({ at, read }) => ({ at, message: `${nameOfPair(read.rate)} is there more than once` })));
  const rates = [...found.values()].flatMap((same) => (same.length === 1 ? [same[0]!.read] : []));
  const there = new Set(rates.map(({ rate }) => nameOfPair(rate)));
  const missing = pairs.filter((pair) => !there.has(pair) && !faults.some(({ at }) => at === pair));
  faults.push(...missing.map((at) => ({ at, message: "is not in the document, or cannot be used" })));
  return { rates: rates.toSorted((a, b) => a.rate.validFrom.getTime() - b.rate.validFrom.getTime()), faults };
}

function rateOfLine(line: unknown, of: ReadingOf): ReadRate {
  if (typeof line !== "object" || line === null) throw new RateDocumentFault("is no object");
  const { sendCurrency, receivingCurrency, rate, validFrom, validUntil } = line as Record<string, unknown>;
  if (typeof rate !== "string") throw new RateDocumentFault("rate: must be decimal text");
  return reckoned(
    {
      sendCurrency: String(sendCurrency),
      receivingCurrency: String(receivingCurrency),
      rate,
      from: statedTime(validFrom, "validFrom", of),
      until: statedTime(validUntil, "validUntil", of),
    },
    of,
  );
}

interface StatedRate {
  sendCurrency: string;
  receivingCurrency: string;
  rate: string;
  from?: Date | undefined;
  until?: Date | undefined;
}

/** With the same checks as a rate that a person puts. One that began before holds from now on. */
function reckoned({ from, until, ...stated }: StatedRate, { now, source, validForMs }: ReadingOf): ReadRate {
  if (stated.sendCurrency === stated.receivingCurrency) throw new RateDocumentFault("both currencies are the same");
  const validFrom = from === undefined || from < now ? now : from;
  if (until !== undefined && until <= now) throw new RateDocumentFault("validUntil: has passed");
  const validUntil = until ?? new Date(validFrom.getTime() + validForMs);
  const rate = rateFromWire({ ...stated, source, validFrom, validUntil }, now);
  return { rate: { ...rate, validUntil, replacesAll: true }, isUntilStated: until !== undefined };
}

function statedTime(value: unknown, path: string, { aheadMs }: ReadingOf): Date | undefined {
  if (value === undefined || value === null) return undefined;
  const time = timeOf(value);
  if (time === undefined) throw new RateDocumentFault(`${path}: must be a time such as 2026-11-24T08:00:00Z`);
  return new Date(time.getTime() + aheadMs);
}

function timeOf(value: unknown): Date | undefined {
  if (typeof value !== "string" || value.length > 40) return undefined;
  try {
    return new Date(Temporal.Instant.from(value).epochMilliseconds);
  } catch {
    return undefined;
  }
}

function objectOf(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = boundedJson(text);
  } catch (error) {
    throw new RateDocumentFault(error instanceof JsonFault ? error.message : "is no JSON");
  }
  if (typeof value !== "object" || value === null) throw new RateDocumentFault("is no object");
  return value as Record<string, unknown>;
}

/** By currency, units of it for one euro, as text; the euro itself is among them. */
function quotesOf(text: string): { quotes: Map<string, string>; day: string } {
  const quotes = new Map([["EUR", "1"]]);
  let day: string | undefined;
  let depth = 0;
  const feed = createXmlFeed(
    {
      open(name, { time, currency, rate }) {
        depth += 1;
        if (depth === 1 && name !== "gesmes:Envelope") throw new RateDocumentFault("begins with no gesmes:Envelope");
        if (name !== "Cube") return;
        if (time !== undefined && day !== undefined) throw new RateDocumentFault("has more than one day");
        day = time ?? day;
        if (currency === undefined || rate === undefined) return;
        if (quotes.has(currency)) throw new RateDocumentFault(`has ${currency.slice(0, 10)} more than once`);
        quotes.set(currency, rate);
      },
      close: () => void (depth -= 1),
      text: () => {},
    },
    { fault: (reason) => new RateDocumentFault(reason), withLines: false },
  );
  feed.write(Buffer.from(text));
  feed.end();
  if (day === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(Date.parse(day))) {
    throw new RateDocumentFault("names no day");
  }
  if (quotes.size > maxRates) throw new RateDocumentFault(`has more than ${maxRates} rates`);
  return { quotes, day };
}

function assertAboveZero({ digits }: Decimal, currency: string): void {
  if (digits === 0n) throw new RateDocumentFault(`${currency}: must be greater than zero`);
}
