import { money, type Money } from "../../kernel/money.js";
import { placeholder } from "../../platform/messages/template.js";
import { cancellableForMs } from "./cancellation.js";
import { isAccount } from "./credit-party.js";
import { figuresOf, shownRate, type DisclosureKind, type Figures } from "./disclosure.js";
import { authoritiesOf, wordsOf, type DisclosureContact, type DisclosureTemplate } from "./disclosure-template.js";
import type { DisclosureText, DisclosureWords } from "./disclosure-words.js";
import { maskedParty } from "./party-masking.js";
import type { Quote } from "./quote.js";
import { refundedSoFar } from "./refund.js";
import type { Transaction } from "./transaction.js";

/** How amounts, numbers, days and moments are written in a language and time zone. */
export interface Written {
  language: string;
  amount: (of: Money) => string;
  number: (decimalText: string) => string;
  /** Of an ISO date. */
  day: (date: string) => string;
  time: (at: Date) => string;
}

export type DisclosedTransaction = Pick<
  Transaction,
  | "price"
  | "terms"
  | "transactionCode"
  | "sender"
  | "recipient"
  | "creditParty"
  | "paidAt"
  | "expiresAt"
  | "payout"
  | "refunds"
>;

/** What a disclosure is of. */
export type Disclosed = { quote: Pick<Quote, "price" | "terms" | "expiresAt"> } | { transaction: DisclosedTransaction };

export interface DisclosureIssuer {
  organisation: string;
  template: DisclosureTemplate;
  written: Written;
  /** ISO date. */
  availableOn: string;
}

export interface DisclosureLine {
  name: DisclosureText;
  label: string;
  value: string;
  /** One of the sums that everything above adds up to. */
  isSum: boolean;
}

export interface DisclosureSection {
  title: string;
  /** Paragraphs. */
  texts: string[];
}

/** What a sender is told, in figures and in words. */
export interface Disclosure {
  kind: DisclosureKind;
  title: string;
  figures: Figures;
  shownRate: string;
  lines: DisclosureLine[];
  sections: DisclosureSection[];
  /** What a counter labels the cash by that it took and the change that it gave. */
  cashReceived: string;
  cashChange: string;
}

/** Throws where the language has no words, and where the parts of the price do not add up. */
export function disclosureOf(kind: DisclosureKind, of: Disclosed, issuer: DisclosureIssuer): Disclosure {
  const { template, written, organisation } = issuer;
  const words = wordsOf(template, written.language);
  if (words === undefined) throw new Error(`a disclosure has no words in ${written.language}`);
  const { price, terms } = "quote" in of ? of.quote : of.transaction;
  const figures = figuresOf(price, terms.delivery);
  const say = createSay(words, { organisation, minutes: written.number(String(cancellableForMs / 60_000)) });
  const rate = rateTexts(figures, written);
  const lines = createLines(say);
  addParties(lines, kind, of, written);
  addFigures(lines, figures, { rate: rate.shown, written, showsZero: showsZero[template.profile] });
  if ("transaction" in of && kind === "RECEIPT") addRefund(lines, of.transaction, written);
  lines.add("dateAvailable", say("maySooner", { date: written.day(issuer.availableOn) }));
  return {
    kind,
    title: say(kind === "RECEIPT" ? "receiptTitle" : "prepaymentTitle"),
    figures,
    shownRate: rate.shown,
    lines: lines.all,
    sections: sectionsOf(say, issuer, rate.isRounded ? rate.exact : undefined),
    cashReceived: say("cashReceived"),
    cashChange: say("cashChange"),
  };
}

/** Whether lines of nothing stand there: EU and UK law want all charges said, also none. */
const showsZero = { GENERIC: false, US_BSA: false, EU_TFR: true, UK_FTR: true } as const;

type Say = (name: DisclosureText, values?: Record<string, string>) => string;

function createSay(words: DisclosureWords, common: Record<string, string>): Say {
  return (name, values = {}) =>
    words[name].replaceAll(placeholder, (_all, value: string) => ({ ...common, ...values })[value] ?? "");
}

function createLines(say: Say) {
  const all: DisclosureLine[] = [];
  return {
    all,
    add(name: DisclosureText, value: string, label = say(name), isSum = false): void {
      all.push({ name, label, value, isSum });
    },
    say,
  };
}
type Lines = ReturnType<typeof createLines>;

function rateTexts({ transferAmount, transferredAmount, exchangeRate }: Figures, { number }: Written) {
  const { units, rate, isRounded } = shownRate(exchangeRate);
  const line = (sent: string, received: string) =>
    `${number(sent)} ${transferAmount.currency} = ${received} ${transferredAmount.currency}`;
  return { shown: line(units, number(rate)), exact: line("1", number(exchangeRate)), isRounded };
}

function addParties(lines: Lines, kind: DisclosureKind, of: Disclosed, { time }: Written): void {
  if ("quote" in of) return lines.add("validUntil", time(of.quote.expiresAt));
  const { transactionCode, sender, recipient, creditParty, paidAt, expiresAt } = of.transaction;
  lines.add("transaction", transactionCode);
  if (kind === "RECEIPT" && paidAt !== undefined) lines.add("paid", time(paidAt));
  if (kind === "PREPAYMENT" && expiresAt !== undefined) lines.add("payUntil", time(expiresAt));
  lines.add("sender", `${sender.name} (${sender.customerCode}), ${sender.country}`);
  lines.add("recipient", `${recipient.name}, ${recipient.country}`);
  for (const { key, value } of maskedParty(creditParty)) {
    if (isPartyText(key)) lines.add(key, isAccount(key) ? ending(value) : value);
  }
}

const partyTexts = ["bankname", "bankaccountno", "accountholdername", "bankcode", "swiftbic"] as const;
const otherPartyTexts = [
  "mobileoperator",
  "mobilenumber",
  "payoutpointid",
  "recipientname",
  "walletaccountno",
] as const;
type PartyText = (typeof partyTexts)[number] | (typeof otherPartyTexts)[number];
const isPartyText = (key: string): key is PartyText =>
  ([...partyTexts, ...otherPartyTexts] as readonly string[]).includes(key);

const shownDigits = 4;
function ending(value: string): string {
  const digits = value.replaceAll(/[\s-]/g, "");
  return digits.length <= shownDigits ? digits : `...${digits.slice(-shownDigits)}`;
}

function addFigures(
  lines: Lines,
  figures: Figures,
  { rate, written, showsZero: hasZero }: { rate: string; written: Written; showsZero: boolean },
): void {
  const { amount } = written;
  const minus = (of: Money) => (of.minor === 0n ? amount(of) : amount(money(-of.minor, of.currency)));
  const isShown = (of: Money) => of.minor > 0n || hasZero;
  lines.add("transferAmount", amount(figures.transferAmount));
  for (const fee of figures.fees) {
    if (isShown(fee.amount)) lines.add("fees", amount(fee.amount), fee.name);
    if (isShown(fee.tax)) lines.add("taxes", amount(fee.tax), lines.say("taxOn", { fee: fee.name }));
  }
  if (figures.fees.length === 0 && hasZero) {
    lines.add("fees", amount(figures.totalFees));
    lines.add("taxes", amount(figures.totalTaxes));
  }
  lines.add("total", amount(figures.total), undefined, true);
  lines.add("exchangeRate", rate);
  // 12 CFR 1005.31(b)(1)(v): where something is taken off it.
  if (isShown(figures.totalOtherFees)) {
    lines.add("transferredAmount", amount(figures.transferredAmount));
    for (const fee of figures.otherFees) if (isShown(fee.amount)) lines.add("otherFees", minus(fee.amount), fee.name);
    if (figures.otherFees.length === 0) lines.add("otherFees", amount(figures.totalOtherFees));
  }
  lines.add("totalToRecipient", amount(figures.totalToRecipient), undefined, true);
}

function addRefund(lines: Lines, transaction: DisclosedTransaction, { amount }: Written): void {
  const refunded = refundedSoFar(transaction);
  if (refunded.minor > 0n) lines.add("refunded", amount(refunded));
}

function sectionsOf(say: Say, issuer: DisclosureIssuer, exactRate: string | undefined): DisclosureSection[] {
  const { template, organisation } = issuer;
  const operator = { ...template.operator, name: template.operator.name || organisation };
  const authorities = authoritiesOf(template);
  return [
    {
      title: "",
      texts: [
        ...(exactRate === undefined ? [] : [say("exactRate"), exactRate]),
        say("lessReceived"),
        say("businessDays"),
      ],
    },
    { title: say("cancelTitle"), texts: [say("cancel")] },
    { title: say("errorsTitle"), texts: [say("errors")] },
    { title: say("contactTitle"), texts: [say("contact"), contactText(operator)] },
    ...(authorities.length === 0
      ? []
      : [{ title: say("authorityTitle"), texts: [say("authority"), ...authorities.map(contactText)] }]),
  ];
}

function contactText({ name, phone, email, website, address }: DisclosureContact): string {
  return [name, address, phone, email, website].filter(Boolean).join(", ");
}
