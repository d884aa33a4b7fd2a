import type { BankStatus } from "../../domain/bank-files.js";
import type { BankDocument, DocumentLine } from "./document.js";
import { all, FileFault, readElements, textAt, type XmlElement } from "./xml.js";

const report = "CstmrPmtStsRpt";
const paths = {
  header: `${report}/GrpHdr`,
  group: `${report}/OrgnlGrpInfAndSts`,
  paymentId: `${report}/OrgnlPmtInfAndSts/OrgnlPmtInfId`,
  paymentStatus: `${report}/OrgnlPmtInfAndSts/PmtInfSts`,
  paymentReason: `${report}/OrgnlPmtInfAndSts/StsRsnInf`,
  transaction: `${report}/OrgnlPmtInfAndSts/TxInfAndSts`,
} as const;

/**
 * ISO's external code set: ACSC and ACCC say that it is settled, ACSP and ACWC that it is being
 * settled, RJCT and CANC that it never will be. Every other status is on the way to one of them.
 */
const statuses: Readonly<Record<string, BankStatus>> = {
  ACSC: "PAID",
  ACCC: "PAID",
  ACSP: "EXECUTING",
  ACWC: "EXECUTING",
  RJCT: "REFUSED",
  CANC: "REFUSED",
};

/** Why a bank refuses a second copy of what it has: the first one may well be paid. */
const ofCopies: ReadonlySet<string> = new Set(["DU01", "DU02", "DU03", "DU04", "DU05", "AM05"]);

/** Those of ISO's reason codes that customers' accounts cause, in words. */
const reasons: Readonly<Record<string, string>> = {
  AC01: "the account number is wrong",
  AC03: "the recipient's account number is wrong",
  AC04: "the account is closed",
  AC06: "the account is blocked",
  AG01: "the account takes no such payments",
  AG02: "the bank does not know the transaction code",
  AM04: "there is not enough money on the debited account",
  AM05: "the bank takes it for a duplicate",
  DU01: "the message is a duplicate",
  DU02: "the payment information is a duplicate",
  DU03: "the transaction is a duplicate",
  DU04: "the end-to-end reference is a duplicate",
  DU05: "the instruction is a duplicate",
  BE01: "the name does not fit the account",
  BE04: "the recipient's address is missing",
  MD07: "the recipient has died",
  MS02: "refused by the recipient, without a reason",
  MS03: "refused by a bank, without a reason",
  RC01: "the bank's number is wrong",
  RR04: "for a regulatory reason",
};

/** A code with its words; the bank's own text may name people, and is left out. */
export function reasonOf(within: XmlElement | undefined, path: string): string {
  return inWords(textAt(within, `${path}/Cd`) || textAt(within, `${path}/Prtry`));
}

function inWords(code: string): string {
  const words = reasons[code];
  return words === undefined ? code : `${code}: ${words}`;
}

/** Codes of all reasons that are given at a place. */
function codesAt(within: XmlElement | undefined): string[] {
  const codes = all(within, "StsRsnInf").map((one) => textAt(one, "Rsn/Cd") || textAt(one, "Rsn/Prtry"));
  return codes.filter((code) => code !== "");
}

/**
 * What a pain.002 says. A line of an order comes before one of its whole
 * message, which it goes before.
 */
export async function readStatusReport(text: string): Promise<BankDocument> {
  let messageId = "";
  let group: XmlElement | undefined;
  let payment: { id: string; status: string; codes: string[] } = { id: "", status: "", codes: [] };
  const orders: DocumentLine[] = [];
  const messages: DocumentLine[] = [];

  function addMessage(): void {
    const line = statusLine({ messageId: payment.id }, payment.status, [payment.codes, codesAt(group)]);
    if (payment.id !== "" && line !== undefined) messages.push(line);
  }

  await readElements(text, new Set(Object.values(paths)), (path, found) => {
    switch (path) {
      case paths.header:
        messageId = textAt(found, "MsgId");
        break;
      case paths.group:
        group = found;
        break;
      case paths.paymentId:
        addMessage();
        payment = { id: found.text.trim(), status: "", codes: [] };
        break;
      case paths.paymentStatus:
        payment.status = found.text.trim();
        break;
      case paths.paymentReason: {
        const code = textAt(found, "Rsn/Cd") || textAt(found, "Rsn/Prtry");
        if (code !== "") payment.codes.push(code);
        break;
      }
      case paths.transaction: {
        const endToEndId = textAt(found, "OrgnlEndToEndId") || textAt(found, "OrgnlInstrId");
        const codes = [codesAt(found), payment.codes, codesAt(group)];
        const line = statusLine({ endToEndId }, textAt(found, "TxSts"), codes);
        if (endToEndId !== "" && line !== undefined) orders.push(line);
        break;
      }
    }
  });
  addMessage();
  if (messageId === "") throw new FileFault("has no MsgId");
  const ofGroup = statusLine({ messageId: textAt(group, "OrgnlMsgId") }, textAt(group, "GrpSts"), [codesAt(group)]);
  return { messageId, lines: [...orders, ...messages, ...(ofGroup === undefined ? [] : [ofGroup])] };
}

/**
 * Undefined where it says nothing of its own, as PART: then each order has a line. Of the reasons
 * those that are nearest to it count.
 */
function statusLine(
  of: DocumentLine["of"],
  code: string,
  codes: readonly (readonly string[])[],
): DocumentLine | undefined {
  if (code === "" || code === "PART") return undefined;
  const status = statuses[code] ?? "ACCEPTED";
  if (status !== "REFUSED") return { of, kind: "STATUS", status, reason: "" };
  const nearest = codes.find((some) => some.length > 0) ?? [];
  const ofCopy = nearest.find((one) => ofCopies.has(one));
  if (ofCopy !== undefined) return { of, kind: "STATUS", status: "DUPLICATE", reason: inWords(ofCopy) };
  return { of, kind: "STATUS", status, reason: inWords(nearest[0] ?? "") || code };
}
