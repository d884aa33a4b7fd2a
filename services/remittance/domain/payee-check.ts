import { Refusal } from "../../kernel/refusal.js";
import type { PayeeAccount, PayeeResult } from "../../platform/plugins/payee-contract.js";
import { checkedMethods, type CorridorContent, type DeliveryMethod, type PayeeCheckTime } from "./corridor.js";
import { detail, holderKeys, partOf, type KeyValue } from "./credit-party.js";
import { isSamePayeeName, plainPayeeName } from "./payee-names.js";
import type { RecipientKind } from "./recipient-details.js";

/** Whether an account is somebody's, as a partner is asked. */
export interface PayeeQuestion {
  account: PayeeAccount;
  /** Of the holder; plain. */
  name: string;
  kind: RecipientKind | "UNKNOWN";
}

/** What came of one question: NO_ANSWER and NO_PARTNER say nothing of the account. */
export interface PayeeFinding {
  question: PayeeQuestion;
  result: PayeeResult | "NO_ANSWER" | "NO_PARTNER";
  /** The name on the account; of CMTC alone. */
  accountName?: string;
}

/** What was said of one customer's payee, kept for whoever goes on in spite of it. */
export interface PayeeCheck {
  payeeCheckId: string;
  customerId: string;
  findings: PayeeFinding[];
  /** Business time. */
  checkedAt: Date;
}

/** What a transaction, and a recipient, keep of it. */
export interface PayeeVerdict {
  result: PayeeFinding["result"];
  checkedAt: Date;
  /** What somebody was warned of, and went on. */
  accountName?: string;
  acceptedAt?: Date;
  acceptedBy?: string;
}

/** How long an accepted warning stands, ms. */
export const payeeCheckStandsMs = 15 * 60_000;

// What most needs somebody's eyes comes first.
const byWeight: readonly PayeeFinding["result"][] = ["NMTC", "CMTC", "NO_PARTNER", "NO_ANSWER", "NOAP", "MTCH"];

/** Whether a corridor's setting has recipients checked when they are saved. */
export const isCheckedAtRecipient = (time: PayeeCheckTime): boolean => time === "AT_RECIPIENT" || time === "BOTH";

/**
 * Whether a transaction's account is checked: an account that its recipient was not saved with
 * was never looked at there.
 */
export function isCheckedAtTransaction(time: PayeeCheckTime, isOwnAccount: boolean): boolean {
  return time === "AT_TRANSACTION" || time === "BOTH" || (time === "AT_RECIPIENT" && isOwnAccount);
}

/** Methods of a recipient that corridors to it have checked when it is saved. */
export function checkedMethodsOf(
  corridors: readonly CorridorContent[],
  { currency, deliveryMethods }: { currency: string; deliveryMethods: readonly DeliveryMethod[] },
): DeliveryMethod[] {
  const open = corridors.filter((one) => one.enabled && one.receivingCurrency === currency);
  return checkedMethods.filter(
    (method) =>
      deliveryMethods.includes(method) &&
      open.some(({ deliveries = [] }) =>
        deliveries.some((one) => one.method === method && isCheckedAtRecipient(one.payeeCheck ?? "OFF")),
      ),
  );
}

/** One question a method; none for ways of delivery that have no account at a partner. */
export function payeeQuestions(
  party: readonly KeyValue[],
  methods: readonly DeliveryMethod[],
  {
    country,
    currency,
    name,
    kind,
  }: { country: string; currency: string; name: string; kind?: RecipientKind | undefined },
): PayeeQuestion[] {
  return checkedMethods
    .filter((method) => methods.includes(method))
    .map((method) => {
      const part = partOf(party, method);
      const account = part
        .filter(({ key }) => !holderKeys.includes(key))
        .map(({ key, value }) => [key, value] as const);
      const holder = detail(part, "accountholdername") || name;
      return {
        account: { ...Object.fromEntries(account), country, currency },
        name: plainPayeeName(holder),
        kind: (isSamePayeeName(holder, name) ? kind : undefined) ?? "UNKNOWN",
      };
    });
}

/** A finding by what a partner said: a close match that differs by nothing that counts is one. */
export function findingOf(question: PayeeQuestion, said: { result: PayeeResult; accountName: string }): PayeeFinding {
  const { result, accountName } = said;
  if (result !== "CMTC") return { question, result };
  // Nobody can be shown what it is close to.
  if (accountName === "") return { question, result: "NMTC" };
  if (isSamePayeeName(accountName, question.name)) return { question, result: "MTCH" };
  return { question, result, accountName };
}

/** Whether a check is one about just this, said a moment ago. */
export function isAbout(check: PayeeCheck, customerId: string, questions: readonly PayeeQuestion[], now: Date) {
  return check.customerId === customerId && !hasLapsed(check, now) && covers(check, questions);
}

/**
 * What is kept of a check. Refuses PAYEE_NAME_DIFFERS with the name on the account, and
 * PAYEE_NOT_MATCHED; both with the id by which somebody who has read it goes on.
 */
export function verdictOf({ payeeCheckId, findings, checkedAt }: PayeeCheck): PayeeVerdict {
  const worst = heaviest(findings);
  const { result, accountName = "" } = worst;
  if (!isWarning(worst)) return { result, checkedAt };
  const validUntil = new Date(checkedAt.getTime() + payeeCheckStandsMs).toISOString();
  const figures = { payeeCheckId, validUntil, ...(result === "CMTC" && { accountName }) };
  const goOn = "send it again under another idempotency key with payeeCheckId to go on all the same";
  if (result === "NMTC") {
    throw new Refusal("PAYEE_NOT_MATCHED", `the account is not in the recipient's name: ${goOn}`, { figures });
  }
  const details = { figures, isPersonal: true as const };
  throw new Refusal("PAYEE_NAME_DIFFERS", `the name on the account differs from the recipient's: ${goOn}`, details);
}

/**
 * What is kept where somebody goes on in spite of a warning. It is a consent and nothing that is
 * used up: whatever names it within its time, at once or one after the other, goes on. Refuses
 * PAYEE_CHECK_MISMATCH for one of another account, name or customer, PAYEE_CHECK_EXPIRED after 15
 * minutes.
 */
export function acceptedVerdict(
  check: PayeeCheck | undefined,
  requested: { customerId: string; questions: readonly PayeeQuestion[]; path: string },
  { at, by }: { at: Date; by: string },
): PayeeVerdict {
  const { customerId, questions, path } = requested;
  const refuse = (code: "PAYEE_CHECK_MISMATCH" | "PAYEE_CHECK_EXPIRED", message: string) =>
    new Refusal(code, `${path}: ${message}`, { errors: [{ path, message }] });
  const isTheirs = check?.customerId === customerId && questions.length > 0 && covers(check, questions);
  const found = isTheirs ? heaviest(check.findings) : undefined;
  if (check === undefined || found === undefined || !isWarning(found)) {
    throw refuse("PAYEE_CHECK_MISMATCH", "stands for another account, name or customer");
  }
  if (hasLapsed(check, at)) throw refuse("PAYEE_CHECK_EXPIRED", "stands for 15 minutes, which are over");
  const { result, accountName } = found;
  const warned = { result, checkedAt: check.checkedAt, ...(accountName !== undefined && { accountName }) };
  return { ...warned, acceptedAt: at, acceptedBy: by };
}

/** Whether somebody has to read it before the money goes on. */
export function isWarning({ result }: Pick<PayeeFinding, "result">): boolean {
  return result === "CMTC" || result === "NMTC";
}

/** Whether a partner has said anything of the account. */
export function saysSomething({ result }: Pick<PayeeFinding, "result">): boolean {
  return result !== "NO_ANSWER" && result !== "NO_PARTNER";
}

function hasLapsed({ checkedAt }: PayeeCheck, now: Date): boolean {
  return now.getTime() - checkedAt.getTime() > payeeCheckStandsMs;
}

function covers({ findings }: PayeeCheck, questions: readonly PayeeQuestion[]): boolean {
  return questions.every((question) => findings.some((finding) => isSameQuestion(finding.question, question)));
}

export function isSameQuestion(one: PayeeQuestion, other: PayeeQuestion): boolean {
  const keys = new Set([...Object.keys(one.account), ...Object.keys(other.account)]);
  return isSamePayeeName(one.name, other.name) && [...keys].every((key) => one.account[key] === other.account[key]);
}

function heaviest(findings: readonly PayeeFinding[]): PayeeFinding {
  const [first] = findings.toSorted((a, b) => byWeight.indexOf(a.result) - byWeight.indexOf(b.result));
  return first!;
}
