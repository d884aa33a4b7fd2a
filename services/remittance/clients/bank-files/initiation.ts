import { isValidIBAN } from "ibantools";
import { formatMoney } from "../../../kernel/money.js";
import type { BankMessage } from "../../domain/bank-files.js";
import { detail } from "../../domain/credit-party.js";
import type { PayoutOrder } from "../payout-connector.js";
import type { BankConfiguration } from "./configuration.js";
import { bankIdOf, nameOf } from "./names.js";
import { element, textElement } from "./xml.js";

export const initiationKind = "pain.001.001.09";

const namespace = `urn:iso:std:iso:20022:tech:xsd:${initiationKind}`;
const maxAmountDigits = 18;
const maxName = 70;
const maxAccount = 34;

/** Why a bank can never be asked to pay it; undefined where it can. */
export function unpayable({ method, amount, creditParty }: PayoutOrder, at: BankConfiguration): string | undefined {
  if (method !== "ACCOUNTPAYMENT") return "this bank pays to accounts alone";
  if (formatMoney(amount).replace(".", "").length > maxAmountDigits) return "the amount is larger than a file can have";
  if (bare(detail(creditParty, "bankaccountno")).length > maxAccount)
    return "the account number is too long for a file";
  if (nameOf(detail(creditParty, "accountholdername"), at, maxName) === "") return "the account's holder has no name";
  return undefined;
}

/**
 * A customer credit transfer initiation of these orders, each of them payable;
 * executed on a day of the zone.
 */
export function initiationOf(
  at: BankConfiguration,
  { messageId, createdAt, timeZone }: Pick<BankMessage, "messageId" | "createdAt"> & { timeZone: string },
  orders: readonly PayoutOrder[],
): string {
  const count = textElement("NbOfTxs", String(orders.length));
  const sum = textElement("CtrlSum", sumOf(orders));
  const debtor = textElement("Nm", nameOf(at.debtorName, at, maxName));
  const header = element("GrpHdr", [
    textElement("MsgId", messageId),
    textElement("CreDtTm", secondOf(createdAt)),
    count,
    sum,
    element("InitgPty", [debtor]),
  ]);
  const day = dayOf(createdAt, timeZone).add({ days: at.executionDays }).toString();
  const level = textElement("Cd", at.serviceLevel);
  const payment = element("PmtInf", [
    textElement("PmtInfId", messageId),
    textElement("PmtMtd", "TRF"),
    textElement("BtchBookg", String(at.booking === "BATCH")),
    count,
    sum,
    level && element("PmtTpInf", [element("SvcLvl", [level])]),
    element("ReqdExctnDt", [textElement("Dt", day)]),
    element("Dbtr", [debtor]),
    element("DbtrAcct", [accountOf(at.debtorIban ?? at.debtorAccount ?? "")]),
    element("DbtrAgt", [agentOf(at.bic, at.clearingMemberId, at.clearingSystem)]),
    textElement("ChrgBr", at.chargeBearer),
    ...orders.map((order) => transferOf(order, at)),
  ]);
  const document = element("Document", [element("CstmrCdtTrfInitn", [header, payment])], { xmlns: namespace });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${document}\n`;
}

function transferOf({ reference, amount, creditParty }: PayoutOrder, at: BankConfiguration): string {
  const id = bankIdOf(reference);
  const [bic, code] = [detail(creditParty, "swiftbic").toUpperCase(), detail(creditParty, "bankcode")];
  return element("CdtTrfTxInf", [
    element("PmtId", [textElement("InstrId", id), textElement("EndToEndId", id)]),
    element("Amt", [textElement("InstdAmt", formatMoney(amount), { Ccy: amount.currency })]),
    element("CdtrAgt", [agentOf(bic, code, at.recipientClearingSystem)]),
    element("Cdtr", [textElement("Nm", nameOf(detail(creditParty, "accountholdername"), at, maxName))]),
    element("CdtrAcct", [accountOf(detail(creditParty, "bankaccountno"))]),
  ]);
}

/** A bank by its BIC, which alone is enough, or by its number in a clearing system. */
function agentOf(bic: string | undefined, memberId: string | undefined, clearingSystem: string | undefined): string {
  if (bic !== undefined && bic !== "") return element("FinInstnId", [textElement("BICFI", bic)]);
  const system = textElement("Cd", clearingSystem);
  const member = [system && element("ClrSysId", [system]), textElement("MmbId", memberId?.slice(0, 35))];
  return element("FinInstnId", [element("ClrSysMmbId", member)]);
}

function accountOf(number: string): string {
  const written = bare(number);
  const iban = written.toUpperCase();
  if (isValidIBAN(iban)) return element("Id", [textElement("IBAN", iban)]);
  return element("Id", [element("Othr", [textElement("Id", written)])]);
}

const bare = (account: string) => account.replaceAll(/[\s-]/g, "");

/** The sum of the numbers, whatever their currencies, as CtrlSum is defined. */
function sumOf(orders: readonly PayoutOrder[]): string {
  const scale = 5;
  const total = orders.reduce((sum, { amount }) => {
    const [whole = "0", decimals = ""] = formatMoney(amount).split(".");
    return sum + BigInt(whole + decimals.padEnd(scale, "0"));
  }, 0n);
  const digits = total.toString().padStart(scale + 1, "0");
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`.replace(/0+$/, "").replace(/\.$/, "");
}

/** The day of a moment where it is that time: of another zone it may be over already. */
const dayOf = (at: Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();

const secondOf = (at: Date) => `${at.toISOString().slice(0, 19)}Z`;
