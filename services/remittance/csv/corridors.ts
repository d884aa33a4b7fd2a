import { toAlpha3 } from "../../kernel/codes/countries.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { parseMoney } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import {
  checkCorridor,
  checkedMethods,
  deliveryMethods,
  deliveryOf,
  payeeCheckTimes,
  type CorridorContent,
  type CorridorKey,
  type Delivery,
  type DeliveryMethod,
  type FeeRule,
  type PayeeCheckTime,
} from "../domain/corridor.js";
import { nameOfCorridor } from "../domain/corridor-change.js";
import { booleanCell, readTable, wholeCell, type Cells, type ReadTable } from "./table.js";

const columns = [
  "originCountry",
  "sendCurrency",
  "receivingCountry",
  "receivingCurrency",
  "types",
  "minimumAmount",
  "maximumAmount",
  "enabled",
  "feeName",
  "feeFixed",
  "feeRateBps",
  "feeMinimum",
  "feeMaximum",
  "feeTaxBps",
  "partner",
  "estimateMinutes",
  "deliveryDays",
  "payeeCheck",
] as const;
type Column = (typeof columns)[number];

/** What a line says of a corridor; what it does not say stays as it is. */
export interface CorridorLine extends CorridorKey {
  deliveryMethods?: DeliveryMethod[];
  minimumMinor?: bigint;
  maximumMinor?: bigint;
  enabled?: boolean;
  fee?: FeeRule;
  partner?: string;
  estimateMinutes?: number;
  deliveryDays?: number;
  payeeCheck?: PayeeCheckTime;
}

/** Fields of a corridor as the file calls them. */
export const corridorColumns: Record<string, Column> = {
  deliveryMethods: "types",
  minimumMinor: "minimumAmount",
  maximumMinor: "maximumAmount",
  "fees[0].name": "feeName",
  "fees[0].fixedMinor": "feeFixed",
  "fees[0].rateBps": "feeRateBps",
  "fees[0].taxBps": "feeTaxBps",
  "fees[0].minimumMinor": "feeMinimum",
  "fees[0].maximumMinor": "feeMaximum",
};

/** Reads corridors from CSV text. Refuses INVALID_INPUT as csv.ts says. */
export function corridorsFromCsv(text: string): Promise<ReadTable<CorridorLine>> {
  return readTable<Column, CorridorLine>(text, {
    columns,
    required: ["originCountry", "sendCurrency", "receivingCountry", "receivingCurrency"],
    read: lineFromCells,
    keyOf: (line) => ({ key: nameOfCorridor(line), column: "originCountry" }),
  });
}

function lineFromCells(cells: Cells<Column>): CorridorLine {
  const country = (column: "originCountry" | "receivingCountry") => toAlpha3(cells[column] ?? "", column);
  const currency = (column: "sendCurrency" | "receivingCurrency") => assertCurrency(cells[column] ?? "", column);
  const sendCurrency = currency("sendCurrency");
  const minor = (column: Column) => (cells[column] ? parseMoney(cells[column], sendCurrency, column).minor : undefined);
  const types = cells.types ? methodsOf(cells.types) : undefined;
  const minimumMinor = minor("minimumAmount");
  const maximumMinor = minor("maximumAmount");
  const enabled = booleanCell(cells.enabled, "enabled");
  const fee = feeOf(cells, minor);
  const estimateMinutes = wholeCell(cells.estimateMinutes, "estimateMinutes");
  const deliveryDays = wholeCell(cells.deliveryDays, "deliveryDays");
  const payeeCheck = payeeCheckOf(cells.payeeCheck);
  return {
    originCountry: country("originCountry"),
    sendCurrency,
    receivingCountry: country("receivingCountry"),
    receivingCurrency: currency("receivingCurrency"),
    ...(types !== undefined && { deliveryMethods: types }),
    ...(minimumMinor !== undefined && { minimumMinor }),
    ...(maximumMinor !== undefined && { maximumMinor }),
    ...(enabled !== undefined && { enabled }),
    ...(fee !== undefined && { fee }),
    ...(cells.partner && { partner: cells.partner }),
    ...(estimateMinutes !== undefined && { estimateMinutes }),
    ...(deliveryDays !== undefined && { deliveryDays }),
    ...(payeeCheck !== undefined && { payeeCheck }),
  };
}

function payeeCheckOf(text: string | undefined): PayeeCheckTime | undefined {
  if (!text) return undefined;
  const time = payeeCheckTimes.find((one) => one === text);
  if (time === undefined) throw invalidInput("payeeCheck", `must be one of ${payeeCheckTimes.join(", ")}`);
  return time;
}

/** Names of delivery methods, separated by "|". */
function methodsOf(text: string): DeliveryMethod[] {
  const named = text.split("|").map((name) => name.trim());
  const known = named.map((name) => deliveryMethods.find((method) => method === name));
  if (known.includes(undefined))
    throw invalidInput("types", `must be of ${deliveryMethods.join(", ")}, separated by |`);
  if (new Set(known).size < known.length) throw invalidInput("types", "names one twice");
  return known as DeliveryMethod[];
}

/**
 * One fee, which is the corridor's only one. Refuses INVALID_INPUT where something is said of a fee
 * without a name.
 */
function feeOf(cells: Cells<Column>, minor: (column: Column) => bigint | undefined): FeeRule | undefined {
  const terms = ["feeFixed", "feeRateBps", "feeMinimum", "feeMaximum", "feeTaxBps"] as const;
  if (!cells.feeName) {
    if (terms.some((column) => cells[column])) throw invalidInput("feeName", "is required where there is a fee");
    return undefined;
  }
  const minimumMinor = minor("feeMinimum");
  const maximumMinor = minor("feeMaximum");
  return {
    name: cells.feeName,
    fixedMinor: minor("feeFixed") ?? 0n,
    rateBps: wholeCell(cells.feeRateBps, "feeRateBps") ?? 0,
    ...(minimumMinor !== undefined && { minimumMinor }),
    ...(maximumMinor !== undefined && { maximumMinor }),
    taxBps: wholeCell(cells.feeTaxBps, "feeTaxBps") ?? 0,
    deliveryMethods: [],
  };
}

/**
 * The corridor that a line makes of what holds. Refuses INVALID_INPUT, also where what holds is
 * more than a line can say.
 */
export function corridorFromLine(line: CorridorLine, held: CorridorContent | undefined): CorridorContent {
  const { fee, enabled, originCountry, sendCurrency, receivingCountry, receivingCurrency } = line;
  const demanded = <T>(given: T | undefined, stored: T | undefined, column: Column): T => {
    const value = given ?? stored;
    if (value === undefined) throw invalidInput(column, "is required for a new corridor");
    return value;
  };
  const methods = demanded(line.deliveryMethods, held?.deliveryMethods, "types");
  const deliveries = deliveriesOf(methods, held, line);
  if (fee !== undefined && held !== undefined && !isPlain(held.fees)) {
    throw invalidInput("feeName", "the corridor has fees that a line cannot say: change them by themselves");
  }
  return checkCorridor({
    originCountry,
    sendCurrency,
    receivingCountry,
    receivingCurrency,
    deliveryMethods: methods,
    minimumMinor: demanded(line.minimumMinor, held?.minimumMinor, "minimumAmount"),
    maximumMinor: demanded(line.maximumMinor, held?.maximumMinor, "maximumAmount"),
    fees: fee === undefined ? (held?.fees ?? []) : [fee],
    ...(deliveries.length > 0 && { deliveries }),
    ...(held?.otherFees !== undefined && { otherFees: held.otherFees }),
    enabled: enabled ?? held?.enabled ?? true,
  });
}

/**
 * Those of the methods that are offered; what a line says of delivery is of each of them, payee
 * checks of those that can have one.
 */
function deliveriesOf(
  methods: readonly DeliveryMethod[],
  held: CorridorContent | undefined,
  { partner, estimateMinutes, deliveryDays, payeeCheck }: CorridorLine,
): Delivery[] {
  const remaining = (held?.deliveries ?? []).filter(({ method }) => methods.includes(method));
  const given = {
    ...(partner !== undefined && { partner }),
    ...(estimateMinutes !== undefined && { estimateMinutes }),
    ...(deliveryDays !== undefined && { deliveryDays }),
  };
  if (Object.keys(given).length === 0 && payeeCheck === undefined) return remaining;
  return methods.map((method) => ({
    ...deliveryOf({ deliveries: remaining }, method),
    ...given,
    ...(payeeCheck !== undefined && checkedMethods.includes(method) && { payeeCheck }),
  }));
}

/** At most one fee, without tiers, category or methods of its own. */
function isPlain(fees: readonly FeeRule[]): boolean {
  const [first] = fees;
  if (first === undefined) return true;
  const { tiers = [], category, deliveryMethods: methods } = first;
  return fees.length === 1 && tiers.length === 0 && category === undefined && methods.length === 0;
}
