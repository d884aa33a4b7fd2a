import { addMoney, compareMoney, type Money } from "../../../kernel/money.js";
import type { BankFile, BankOrder, BankReport } from "../../domain/bank-files.js";
import { paidSince, payoutOfReports } from "../../domain/bank-reports.js";
import type { BankFileStore } from "../../store/bank-files.js";
import type { DocumentLine } from "./document.js";

type Orders = ReadonlyMap<string, readonly BankOrder[]>;

/**
 * What the lines say of our orders. Of others the bank may speak as well: those lines are left out.
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
    const meant = meantBy(line, orders, spokenOf, before);
    for (const order of meant) {
      const stated = reportOf(line, order, meant);
      const { reference } = order;
      // In a second statement it is the same entry.
      if (stated.entryReference !== "" && seen.has(entryKey({ ...stated, reference }))) continue;
      seen.add(entryKey({ ...stated, reference }));
      const known = before.get(reference) ?? [];
      // A payment is a line of the time when it was first known, or it would look like another one.
      const isFirst = stated.kind === "DEBIT" && !known.some(({ kind }) => kind === "DEBIT");
      const at = (isFirst ? paidSince(known) : undefined) ?? readAt;
      const report = { installationId, fileId, line: reports.length, reference, ...stated, readAt, at };
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

/**
 * A line of a whole message means those of it that have no line of their own and were not refused
 * before, unless its entry has moved the money of those as well.
 */
function meantBy(
  line: DocumentLine,
  orders: Orders,
  spokenOf: ReadonlySet<string>,
  before: ReadonlyMap<string, readonly BankReport[]>,
): readonly BankOrder[] {
  const { of } = line;
  if ("endToEndId" in of) return (orders.get(`one ${of.endToEndId}`) ?? []).filter(isHandedIn);
  const all = (orders.get(`all ${of.messageId}`) ?? []).filter(({ endToEndId }) => !spokenOf.has(endToEndId));
  const open = all.filter((order) => !isRefused(order, before.get(order.reference) ?? []));
  const moved = line.kind === "STATUS" ? undefined : line.amount;
  const isOfAll = moved !== undefined && !isSumOf(moved, open) && isSumOf(moved, all);
  return open.length === 0 || isOfAll ? all : open;
}

function isRefused({ amount }: BankOrder, reports: readonly BankReport[]): boolean {
  return amount !== undefined && payoutOfReports(amount, reports).status === "REFUSED";
}

const isHandedIn = ({ amount }: BankOrder) => amount !== undefined;

/**
 * Where some of a batch were not paid, its one entry does not say which:
 * of no one it tells the amount.
 */
function isSumOf(total: Money, orders: readonly BankOrder[]): boolean {
  const amounts = orders.map(({ amount }) => amount);
  if (amounts.length === 0 || amounts.some((one) => one?.currency !== total.currency)) return false;
  const sum = amounts.reduce<Money>((all, one) => (one === undefined ? all : addMoney(all, one)), {
    minor: 0n,
    currency: total.currency,
  });
  return compareMoney(sum, total) === 0;
}

function reportOf(
  line: DocumentLine,
  order: BankOrder,
  meant: readonly BankOrder[],
): Pick<BankReport, "kind" | "status" | "amount" | "entryReference" | "reason"> {
  if (line.kind === "STATUS") return { kind: "STATUS", status: line.status, entryReference: "", reason: line.reason };
  const { kind, amount: moved, entryReference, reason } = line;
  const isWhole = "messageId" in line.of && moved !== undefined && isSumOf(moved, meant);
  const amount = "endToEndId" in line.of ? moved : isWhole ? order.amount : undefined;
  return { kind, ...(amount !== undefined && { amount }), entryReference, reason };
}

const entryKey = ({ reference, kind, entryReference }: Pick<BankReport, "reference" | "kind" | "entryReference">) =>
  `${kind} ${reference} ${entryReference}`;
