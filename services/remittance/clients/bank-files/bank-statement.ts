import { parseMoney, type Money } from "../../../kernel/money.js";
import { Refusal } from "../../../kernel/refusal.js";
import type { BankDocument, DocumentLine } from "./document.js";
import { reasonOf } from "./status-report.js";
import { all, FileFault, first, readElements, textAt, type XmlElement } from "./xml.js";

const statement = "BkToCstmrStmt";
const paths = {
  header: `${statement}/GrpHdr`,
  account: `${statement}/Stmt/Acct`,
  entry: `${statement}/Stmt/Ntry`,
} as const;

/**
 * Sub-families of ISO's bank transaction codes: reversal by a payment's
 * return, or by its cancellation.
 */
const returnFamilies = new Set(["RRTN", "RPCR"]);

/** Booked entries of a camt.053 on an account of ours. */
export async function readBankStatement(text: string, isOurs: (account: string) => boolean): Promise<BankDocument> {
  let messageId = "";
  let isOurAccount = false;
  let currency = "";
  let ours = 0;
  const lines: DocumentLine[] = [];
  await readElements(text, new Set(Object.values(paths)), (path, found) => {
    if (path === paths.header) messageId = textAt(found, "MsgId");
    else if (path === paths.account) {
      isOurAccount = isOurs(textAt(found, "Id/IBAN") || textAt(found, "Id/Othr/Id"));
      currency = textAt(found, "Ccy");
      ours += isOurAccount ? 1 : 0;
    } else if (isOurAccount) lines.push(...linesOf(found, currency));
  });
  if (messageId === "") throw new FileFault("has no MsgId");
  if (ours === 0) throw new FileFault("has no statement of the configured account");
  return { messageId, lines };
}

function linesOf(entry: XmlElement, currency: string): DocumentLine[] {
  const status = textAt(entry, "Sts/Cd") || textAt(entry, "Sts");
  if (status !== "BOOK") return [];
  const moved = movedBy(entry, currency);
  const transactions = all(entry, "NtryDtls/TxDtls");
  if (transactions.length > 0) {
    const amounts = transactions.length === 1 ? [moved] : amountsOfSeveral(entry, transactions, moved);
    return transactions.flatMap((one, index) => transactionLine(entry, one, amounts[index]));
  }
  // A batch that is one entry names our message alone.
  const messageId = textAt(entry, "NtryDtls/Btch/PmtInfId") || textAt(entry, "NtryDtls/Btch/MsgId");
  if (messageId === "" || kindOf(entry, undefined) !== "DEBIT") return [];
  const entryReference = referenceOf(entry, undefined);
  return [{ of: { messageId }, kind: "DEBIT", amount: moved, entryReference, reason: "" }];
}

function transactionLine(entry: XmlElement, one: XmlElement, amount: Money | undefined): DocumentLine[] {
  const endToEndId = textAt(one, "Refs/EndToEndId");
  const kind = kindOf(entry, one);
  if (endToEndId === "" || kind === undefined) return [];
  const reason = reasonOf(first(one, "RtrInf"), "Rsn");
  return [{ of: { endToEndId }, kind, amount, entryReference: referenceOf(entry, one), reason }];
}

/**
 * What an entry moved; undefined in another currency than the account's, and where nobody can tell.
 */
function movedBy(entry: XmlElement, currency: string): Money | undefined {
  const moved = moneyOf(first(entry, "Amt"));
  return currency === "" || moved?.currency === currency ? moved : undefined;
}

/** Each one's own amount, where together they are what the entry moved: else nobody can tell. */
function amountsOfSeveral(entry: XmlElement, transactions: readonly XmlElement[], moved: Money | undefined) {
  if (moved === undefined) return [];
  const side = textAt(entry, "CdtDbtInd");
  const ownPaths = ["Amt", "AmtDtls/TxAmt/Amt"] as const;
  for (const paths of [ownPaths, ownPaths.toReversed()]) {
    const own = transactions.map((one) =>
      paths.map((path) => moneyOf(first(one, path))).find((amount) => amount?.currency === moved.currency),
    );
    const sum = own.reduce((total, amount, index) => {
      const isAgainst = (textAt(transactions[index], "CdtDbtInd") || side) !== side;
      return total + (isAgainst ? -1n : 1n) * (amount?.minor ?? 0n);
    }, 0n);
    if (own.every((amount) => amount !== undefined) && sum === moved.minor) return own;
  }
  return [];
}

/** A credit is a return where it says so; a debit that is taken back is one too. */
function kindOf(entry: XmlElement, one: XmlElement | undefined): "DEBIT" | "RETURN" | undefined {
  const isCredit = (textAt(one, "CdtDbtInd") || textAt(entry, "CdtDbtInd")) === "CRDT";
  const isReversal = ["true", "1"].includes(textAt(entry, "RvslInd"));
  if (!isCredit) return isReversal ? undefined : "DEBIT";
  const families = [one, entry].map((part) => textAt(part, "BkTxCd/Domn/Fmly/SubFmlyCd"));
  const isReturn = first(one, "RtrInf") !== undefined || families.some((family) => returnFamilies.has(family));
  return isReturn || isReversal ? "RETURN" : undefined;
}

/**
 * Undefined for what is no amount of its currency: of somebody else's entry nobody
 * asks, and of ours nobody can tell.
 */
function moneyOf(found: XmlElement | undefined): Money | undefined {
  if (found === undefined) return undefined;
  const currency = found.attributes["Ccy"] ?? "";
  const plain = found.text
    .trim()
    .replace(/^\+/, "")
    .replace(/^0+(?=\d)/, "")
    .replace(/^\./, "0.")
    .replace(/\.$/, "");
  try {
    return parseMoney(plain, currency);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return undefined;
  }
}

/** Of the bank, for good: an entry that comes in a second statement is known by it. */
function referenceOf(entry: XmlElement, one: XmlElement | undefined): string {
  return textAt(one, "Refs/AcctSvcrRef") || textAt(entry, "AcctSvcrRef") || textAt(entry, "NtryRef");
}
