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
  /** Of a recipient's, which may have several accounts: the ways of delivery that it speaks of. */
  methods?: DeliveryMethod[];
}

/** How long an accepted warning stands, ms. */
export const payeeCheckStandsMs = 15 * 60_000;

// What most needs somebody's eyes comes first.
const byWeight: readonly PayeeFinding["result"][] = ["NMTC", "CMTC", "NO_PARTNER", "NO_ANSWER", "NOAP", "MTCH"];

/** Whether a corridor's setting has recipients checked when they are saved. */
export const isCheckedAtRecipient = (time: PayeeCheckTime): boolean => time === "AT_RECIPIENT" || time === "BOTH";

/**
 * Whether a transaction's account is checked: also where recipients are, if nothing is known of
 * this account from there.
 */
export function isCheckedAtTransaction(time: PayeeCheckTime, isKnown: boolean): boolean {
  return time === "AT_TRANSACTION" || time === "BOTH" || (time === "AT_RECIPIENT" && !isKnown);
}

/** What a partner said of a recipient's account for a way of delivery; undefined for nothing. */
export function verdictFor(verdict: PayeeVerdict | undefined, method: DeliveryMethod): PayeeVerdict | undefined {
  if (verdict?.methods?.includes(method) !== true || !saysSomething(verdict)) return undefined;
  return ofTransaction(verdict);
}

/** As a transaction keeps it, which has one account. */
export function ofTransaction({ methods: _methods, ...verdict }: PayeeVerdict): PayeeVerdict {
  return verdict;
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
 * What is kept of a check. Refuses PAYEE_NAME_DIFFERS and PAYEE_NOT_MATCHED, by the worst of the
 * accounts asked about; both with the names on all that differ, and with the id by which somebody
 * who has read it goes on.
 */
export function verdictOf(
  { payeeCheckId, findings, checkedAt }: PayeeCheck,
  questions: readonly PayeeQuestion[],
): PayeeVerdict {
  const about = findingsOf(findings, questions);
  const worst = heaviest(about);
  const { result } = worst;
  if (!isWarning(worst)) return { result, checkedAt, methods: methodsLike(worst, about) };
  const validUntil = new Date(checkedAt.getTime() + payeeCheckStandsMs).toISOString();
  const names = [...new Set(about.flatMap(({ accountName = "" }) => (accountName === "" ? [] : [accountName])))];
  const accountName = names.join(" / ");
  const figures = { payeeCheckId, validUntil, ...(accountName !== "" && { accountName }) };
  const details = { figures, ...(accountName !== "" && { isPersonal: true as const }) };
  const goOn = "send it again under another idempotency key with payeeCheckId to go on all the same";
  if (result === "NMTC") {
    const others = accountName === "" ? "" : ", and the name on another one differs";
    throw new Refusal("PAYEE_NOT_MATCHED", `the account is not in the recipient's name${others}: ${goOn}`, details);
  }
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
  // Nobody was told the id of one that has no warning.
  if (!isTheirs || !check.findings.some(isWarning)) {
    throw refuse("PAYEE_CHECK_MISMATCH", "stands for another account, name or customer");
  }
  if (hasLapsed(check, at)) throw refuse("PAYEE_CHECK_EXPIRED", "stands for 15 minutes, which are over");
  const about = findingsOf(check.findings, questions);
  const found = heaviest(about);
  const { result, accountName } = found;
  const said = { result, checkedAt: check.checkedAt, methods: methodsLike(found, about) };
  if (!isWarning(found)) return said;
  const warned = { ...said, ...(accountName !== undefined && { accountName }) };
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

/** Of a check, what is about these accounts: it may be about more. */
function findingsOf(findings: readonly PayeeFinding[], questions: readonly PayeeQuestion[]): PayeeFinding[] {
  return findings.filter((finding) => questions.some((question) => isSameQuestion(finding.question, question)));
}

/** The ways of delivery to accounts of which the same was found. */
function methodsLike({ result, accountName }: PayeeFinding, all: readonly PayeeFinding[]): DeliveryMethod[] {
  const alike = all.filter((one) => one.result === result && one.accountName === accountName);
  return alike.map(({ question: { account } }) => ("mobilenumber" in account ? "MOBILE_MONEY" : "ACCOUNTPAYMENT"));
}

export function isSameQuestion(one: PayeeQuestion, other: PayeeQuestion): boolean {
  const keys = new Set([...Object.keys(one.account), ...Object.keys(other.account)]);
  return isSamePayeeName(one.name, other.name) && [...keys].every((key) => one.account[key] === other.account[key]);
}

function heaviest(findings: readonly PayeeFinding[]): PayeeFinding {
  const [first] = findings.toSorted((a, b) => byWeight.indexOf(a.result) - byWeight.indexOf(b.result));
  return first!;
}
