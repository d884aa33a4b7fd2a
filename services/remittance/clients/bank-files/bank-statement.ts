import type { BankDocument, DocumentAmount, DocumentLine } from "./document.js";
import { reasonOf } from "./status-report.js";
import { all, FileFault, first, readElements, textAt, type XmlElement } from "./xml.js";

const statement = "BkToCstmrStmt";
const paths = {
  header: `${statement}/GrpHdr`,
  account: `${statement}/Stmt/Acct`,
  entry: `${statement}/Stmt/Ntry`,
} as const;

/** Sub-families of ISO's bank transaction codes: reversal by a payment's return, or by its cancellation. */
const returnFamilies = new Set(["RRTN", "RPCR"]);

/** Booked entries of a camt.053 on an account of ours. */
export async function readBankStatement(text: string, isOurs: (account: string) => boolean): Promise<BankDocument> {
  let messageId = "";
  let isOurAccount = false;
  let ours = 0;
  const lines: DocumentLine[] = [];
  await readElements(text, new Set(Object.values(paths)), (path, found) => {
    if (path === paths.header) messageId = textAt(found, "MsgId");
    else if (path === paths.account) {
      isOurAccount = isOurs(textAt(found, "Id/IBAN") || textAt(found, "Id/Othr/Id"));
      ours += isOurAccount ? 1 : 0;
    } else if (isOurAccount) lines.push(...linesOf(found));
  });
  if (messageId === "") throw new FileFault("has no MsgId");
  if (ours === 0) throw new FileFault("has no statement of the configured account");
  return { messageId, lines };
}

function linesOf(entry: XmlElement): DocumentLine[] {
  const status = textAt(entry, "Sts/Cd") || textAt(entry, "Sts");
  if (status !== "BOOK") return [];
  const transactions = all(entry, "NtryDtls/TxDtls");
  if (transactions.length > 0) {
    return transactions.flatMap((one) => transactionLine(entry, one, transactions.length === 1));
  }
  // A batch that is one entry names our message alone.
  const messageId = textAt(entry, "NtryDtls/Btch/PmtInfId") || textAt(entry, "NtryDtls/Btch/MsgId");
  const amounts = amountsOf(first(entry, "NtryDtls/Btch/TtlAmt"), first(entry, "Amt"));
  if (messageId === "" || kindOf(entry, undefined) !== "DEBIT") return [];
  return [{ of: { messageId }, kind: "DEBIT", amounts, entryReference: referenceOf(entry, undefined), reason: "" }];
}

function transactionLine(entry: XmlElement, one: XmlElement, isAlone: boolean): DocumentLine[] {
  const endToEndId = textAt(one, "Refs/EndToEndId");
  const kind = kindOf(entry, one);
  if (endToEndId === "" || kind === undefined) return [];
  const own = [first(one, "AmtDtls/TxAmt/Amt"), first(one, "Amt"), isAlone ? first(entry, "Amt") : undefined];
  // What was instructed says nothing of what came back.
  const instructed = kind === "DEBIT" ? [first(one, "AmtDtls/InstdAmt/Amt")] : [];
  return [
    {
      of: { endToEndId },
      kind,
      amounts: amountsOf(...instructed, ...own),
      entryReference: referenceOf(entry, one),
      reason: reasonOf(first(one, "RtrInf"), "Rsn"),
    },
  ];
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

function amountsOf(...found: (XmlElement | undefined)[]): DocumentAmount[] {
  return found.flatMap((one) =>
    one === undefined ? [] : [{ text: one.text.trim(), currency: one.attributes["Ccy"] ?? "" }],
  );
}

/** Of the bank, for good: an entry that comes in a second statement is known by it. */
function referenceOf(entry: XmlElement, one: XmlElement | undefined): string {
  return textAt(one, "Refs/AcctSvcrRef") || textAt(entry, "AcctSvcrRef") || textAt(entry, "NtryRef");
}
