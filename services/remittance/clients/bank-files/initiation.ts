import { isValidIBAN } from "ibantools";
import { formatMoney } from "../../../kernel/money.js";
import type { BankMessage } from "../../domain/bank-files.js";
import { detail } from "../../domain/credit-party.js";
import type { PayoutOrder } from "../payout-connector.js";
import type { BankConfiguration } from "./configuration.js";
import { bare } from "./fit.js";
import { bankIdOf } from "./names.js";
import { creditorOf, debtorOf, purposeOf, remittanceOf, ultimateCreditorOf, ultimateDebtorOf } from "./parties.js";
import { element, textElement } from "./xml.js";

export const initiationKind = "pain.001.001.09";

const namespace = `urn:iso:std:iso:20022:tech:xsd:${initiationKind}`;
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
  const debtor = debtorOf(at);
  const header = element("GrpHdr", [
    textElement("MsgId", messageId),
    textElement("CreDtTm", secondOf(createdAt)),
    count,
    sum,
    element("InitgPty", debtor.slice(0, 1)),
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
    element("Dbtr", debtor),
    element("DbtrAcct", [accountOf(at.debtorIban ?? at.debtorAccount ?? "")]),
    element("DbtrAgt", [agentOf(at.bic, at.clearingMemberId, at.clearingSystem)]),
    textElement("ChrgBr", at.chargeBearer),
    ...orders.map((order) => transferOf(order, at)),
  ]);
  const document = element("Document", [element("CstmrCdtTrfInitn", [header, payment])], { xmlns: namespace });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${document}\n`;
}

function transferOf(order: PayoutOrder, at: BankConfiguration): string {
  const { reference, amount, creditParty, parties } = order;
  const id = bankIdOf(reference);
  const [bic, code] = [detail(creditParty, "swiftbic").toUpperCase(), detail(creditParty, "bankcode")];
  return element("CdtTrfTxInf", [
    element("PmtId", [textElement("InstrId", id), textElement("EndToEndId", id)]),
    element("Amt", [textElement("InstdAmt", formatMoney(amount), { Ccy: amount.currency })]),
    ultimateDebtorOf(order, at),
    element("CdtrAgt", [agentOf(bic, code, at.recipientClearingSystem)]),
    creditorOf(order, at),
    element("CdtrAcct", [accountOf(detail(creditParty, "bankaccountno"))]),
    ultimateCreditorOf(order, at),
    purposeOf(parties, at),
    remittanceOf(parties, at),
  ]);
}

/** A bank by its BIC, which alone is enough, or by its number in a clearing system. */
function agentOf(bic: string | undefined, memberId: string | undefined, clearingSystem: string | undefined): string {
  if (bic !== undefined && bic !== "") return element("FinInstnId", [textElement("BICFI", bic)]);
  const system = textElement("Cd", clearingSystem);
  const member = [system && element("ClrSysId", [system]), textElement("MmbId", memberId)];
  return element("FinInstnId", [element("ClrSysMmbId", member)]);
}

function accountOf(number: string): string {
  const written = bare(number);
  const iban = written.toUpperCase();
  if (isValidIBAN(iban)) return element("Id", [textElement("IBAN", iban)]);
  return element("Id", [element("Othr", [textElement("Id", written)])]);
}

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
