import type { BankDocument, DocumentLine } from "./document.js";
import { all, FileFault, first, readElements, textAt, type XmlElement } from "./xml.js";

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
 * ISO's external code set: ACSC and ACCC say that it is settled, RJCT and CANC that it never will be. Every
 * other status is on the way to one of them.
 */
const ends: Readonly<Record<string, "PAID" | "REFUSED">> = {
  ACSC: "PAID",
  ACCC: "PAID",
  RJCT: "REFUSED",
  CANC: "REFUSED",
};

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
  const code = textAt(within, `${path}/Cd`) || textAt(within, `${path}/Prtry`);
  const words = reasons[code];
  return words === undefined ? code : `${code}: ${words}`;
}

/** What a pain.002 says. A line of an order comes before one of its whole message, which it goes before. */
export async function readStatusReport(text: string): Promise<BankDocument> {
  let messageId = "";
  let group: XmlElement | undefined;
  let payment = { id: "", status: "", reason: "" };
  const orders: DocumentLine[] = [];
  const messages: DocumentLine[] = [];

  function addMessage(): void {
    const line = statusLine({ messageId: payment.id }, payment.status, payment.reason);
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
        payment = { id: found.text.trim(), status: "", reason: "" };
        break;
      case paths.paymentStatus:
        payment.status = found.text.trim();
        break;
      case paths.paymentReason:
        payment.reason ||= reasonOf(found, "Rsn");
        break;
      case paths.transaction: {
        const endToEndId = textAt(found, "OrgnlEndToEndId") || textAt(found, "OrgnlInstrId");
        const reason = reasonOf(first(found, "StsRsnInf"), "Rsn");
        const line = statusLine({ endToEndId }, textAt(found, "TxSts"), reason || payment.reason);
        if (endToEndId !== "" && line !== undefined) orders.push(line);
        break;
      }
    }
  });
  addMessage();
  if (messageId === "") throw new FileFault("has no MsgId");
  const ofGroup = statusLine(
    { messageId: textAt(group, "OrgnlMsgId") },
    textAt(group, "GrpSts"),
    all(group, "StsRsnInf").map((one) => reasonOf(one, "Rsn"))[0] ?? "",
  );
  return { messageId, lines: [...orders, ...messages, ...(ofGroup === undefined ? [] : [ofGroup])] };
}

/** Undefined where it says nothing of its own, as PART: then each order has a line. */
function statusLine(of: DocumentLine["of"], code: string, reason: string): DocumentLine | undefined {
  if (code === "" || code === "PART") return undefined;
  const status = ends[code] ?? "ACCEPTED";
  return { of, kind: "STATUS", status, reason: status === "REFUSED" ? reason || code : "" };
}
