import { addMoney, compareMoney, parseMoney, type Money } from "../../../shared/money.js";
import { Refusal } from "../../../shared/refusal.js";
import type { BankFile, BankOrder, BankReport } from "../../domain/bank-files.js";
import { paidSince } from "../../domain/bank-reports.js";
import type { BankFileStore } from "../../store/bank-files.js";
import type { DocumentAmount, DocumentLine } from "./document.js";
import { FileFault } from "./xml.js";

type Orders = ReadonlyMap<string, readonly BankOrder[]>;

/**
 * What the lines say of our orders. Of others the bank may speak as well: those lines are left out. Throws
 * FileFault for an amount that its currency cannot have.
 */
export async function matchLines(
  bankFiles: Pick<BankFileStore, "findOrders" | "listReports">,
  { installationId, fileId, at: readAt }: Pick<BankFile, "installationId" | "fileId" | "at">,
  lines: readonly DocumentLine[],
): Promise<BankReport[]> {
  const orders = await ordersOf(bankFiles, installationId, lines);
  const references = [...new Set([...orders.values()].flat().map(({ reference }) => reference))];
  const before = Map.groupBy(await bankFiles.listReports(installationId, references), ({ reference }) => reference);
  const seen = new Set(
    [...before.values()]
      .flat()
      .filter(({ entryReference }) => entryReference !== "")
      .map(entryKey),
  );
  const spokenOf = new Set(lines.flatMap(({ of }) => ("endToEndId" in of ? [of.endToEndId] : [])));
  const reports: BankReport[] = [];
  for (const line of lines) {
    for (const order of meantBy(line, orders, spokenOf)) {
      const said = saidOf(line, order);
      const { reference } = order;
      // In a second statement it is the same entry.
      if (said.entryReference !== "" && seen.has(entryKey({ ...said, reference }))) continue;
      seen.add(entryKey({ ...said, reference }));
      const known = before.get(reference) ?? [];
      // A payment is a line of the time when it was first known, or it would look like another one.
      const isFirst = said.kind === "DEBIT" && !known.some(({ kind }) => kind === "DEBIT");
      const at = (isFirst ? paidSince(known) : undefined) ?? readAt;
      const report = { installationId, fileId, line: reports.length, reference, ...said, readAt, at };
      before.set(reference, [...known, report]);
      reports.push(report);
    }
  }
  return reports;
}

async function ordersOf(
  bankFiles: Pick<BankFileStore, "findOrders">,
  installationId: string,
  lines: readonly DocumentLine[],
): Promise<Orders> {
  const ids = (name: "endToEndId" | "messageId") => [
    ...new Set(lines.flatMap(({ of }) => (name in of ? [(of as Record<string, string>)[name] ?? ""] : []))),
  ];
  const alone = await bankFiles.findOrders(installationId, "endToEndId", ids("endToEndId"));
  const together = await bankFiles.findOrders(
    installationId,
    "messageId",
    ids("messageId").filter((id) => id !== ""),
  );
  return new Map([
    ...Map.groupBy(alone, ({ endToEndId }) => `one ${endToEndId}`),
    ...Map.groupBy(together, ({ messageId }) => `all ${messageId}`),
  ]);
}

/** A line of a whole message means those of it that have no line of their own. */
function meantBy(line: DocumentLine, orders: Orders, spokenOf: ReadonlySet<string>): readonly BankOrder[] {
  const { of } = line;
  if ("endToEndId" in of) return (orders.get(`one ${of.endToEndId}`) ?? []).filter(isHandedIn);
  const others = (orders.get(`all ${of.messageId}`) ?? []).filter(({ endToEndId }) => !spokenOf.has(endToEndId));
  if (line.kind === "STATUS") return others;
  const [total] = line.amounts.map(moneyOf);
  return total !== undefined && isSumOf(total, others) ? others : [];
}

const isHandedIn = ({ amount }: BankOrder) => amount !== undefined;

/** Where some of a batch were not paid, its one entry does not say which. */
function isSumOf(total: Money, orders: readonly BankOrder[]): boolean {
  const amounts = orders.map(({ amount }) => amount);
  if (amounts.length === 0 || amounts.some((one) => one?.currency !== total.currency)) return false;
  const sum = amounts.reduce<Money>((all, one) => (one === undefined ? all : addMoney(all, one)), {
    minor: 0n,
    currency: total.currency,
  });
  return compareMoney(sum, total) === 0;
}

function saidOf(
  line: DocumentLine,
  order: BankOrder,
): Pick<BankReport, "kind" | "status" | "amount" | "entryReference" | "reason"> {
  if (line.kind === "STATUS") return { kind: "STATUS", status: line.status, entryReference: "", reason: line.reason };
  const { kind, entryReference, reason } = line;
  if ("messageId" in line.of) return { kind, amount: order.amount!, entryReference, reason };
  const own = line.amounts.find(({ currency }) => currency === order.amount?.currency) ?? line.amounts.at(-1);
  return { kind, ...(own !== undefined && { amount: moneyOf(own) }), entryReference, reason };
}

function moneyOf({ text, currency }: DocumentAmount): Money {
  const plain = text
    .replace(/^\+/, "")
    .replace(/^0+(?=\d)/, "")
    .replace(/^\./, "0.")
    .replace(/\.$/, "");
  try {
    return parseMoney(plain, currency);
  } catch (error) {
    if (error instanceof Refusal)
      throw new FileFault(`has an amount in ${currency.slice(0, 3)} that there is not: ${error.message}`);
    throw error;
  }
}

const entryKey = ({ reference, kind, entryReference }: Pick<BankReport, "reference" | "kind" | "entryReference">) =>
  `${kind} ${reference} ${entryReference}`;
