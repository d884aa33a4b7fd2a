export const channels = ["EMAIL", "SMS"] as const;
export type Channel = (typeof channels)[number];

/** Events that customers are told of. */
export const customerMessageTypes = [
  "transaction.paid",
  "transaction.ready_for_pickup",
  "transaction.completed",
  "transaction.rejected",
  "transaction.failed",
  "transaction.refunded",
  "wallet.credited",
  "loan.disbursed",
  "loan.repayment_verified",
  "loan.repayment_rejected",
  "loan.repayment_overdue",
  "loan.paid_off",
] as const;
export type CustomerMessageType = (typeof customerMessageTypes)[number];

/**
 * What identity and compliance send themselves: what is secret in it
 * leaves them for its reader alone.
 */
export const securityKinds = [
  "security.password_reset",
  "security.password_changed",
  "security.payment_code",
  "security.change_code",
  "security.contact_code",
  "security.registration_code",
  "security.phone_code",
  "security.email_link",
] as const;
export type SecurityKind = (typeof securityKinds)[number];

export type Kind = CustomerMessageType | SecurityKind;

/** What a preview puts in a placeholder's place: amounts and days as the language writes them. */
export type Example = string | { amount: string; currency: string } | { day: string };

export interface KindDeclaration {
  /** One line for whoever writes its words. */
  readonly summary: string;
  /** It cannot be switched off. */
  readonly isSecurity: boolean;
  readonly channels: readonly Channel[];
  /** Every placeholder it may have, with what a preview puts there. */
  readonly placeholders: Readonly<Record<string, Example>>;
  /** Without these it would be of no use to its reader. */
  readonly required: readonly string[];
  /** Nobody reads these over a shoulder: not in a subject. */
  readonly secret: readonly string[];
}

const organisation = { organisation: "Example Bank" };
const person = { ...organisation, firstName: "Amina" };
const transfer = {
  ...person,
  reference: "T-7K4M9QAD",
  amount: { amount: "100.00", currency: "USD" },
  received: { amount: "154300.00", currency: "NGN" },
  recipient: "Chidi Okafor",
};
const loan = { ...person, product: "Personal loan" };
const repayment = { ...person, amount: { amount: "50.00", currency: "USD" }, reference: "R-2026-0042" };

const published = (summary: string, placeholders: Record<string, Example>): KindDeclaration => ({
  summary,
  isSecurity: false,
  channels,
  placeholders,
  required: [],
  secret: [],
});

const secured = (
  summary: string,
  placeholders: Record<string, Example>,
  more: Partial<Pick<KindDeclaration, "channels" | "required" | "secret">>,
): KindDeclaration => ({
  summary,
  isSecurity: true,
  channels,
  required: [],
  secret: [],
  ...more,
  placeholders: { ...organisation, ...placeholders },
});

const email = { channels: ["EMAIL"] } as const;
const code = { required: ["code"], secret: ["code"] };

/** Every kind of message with a text that an organisation may change. */
export const kinds: Readonly<Record<Kind, KindDeclaration>> = {
  "transaction.paid": published("Money was sent: the transfer is paid for", {
    ...transfer,
    total: { amount: "102.69", currency: "USD" },
  }),
  "transaction.ready_for_pickup": published("The recipient can pick the cash up", transfer),
  "transaction.completed": published("The recipient has the money", transfer),
  "transaction.rejected": published("The transfer is not carried out; nothing was taken", transfer),
  "transaction.failed": published("The payout was refused; the money comes back", transfer),
  "transaction.refunded": published("Money is back in the sender's wallet", {
    ...transfer,
    refunded: { amount: "100.00", currency: "USD" },
  }),
  "wallet.credited": published("Money came into a wallet, and nothing else tells of it", {
    ...person,
    amount: { amount: "250.00", currency: "USD" },
    account: "…4471",
    balance: { amount: "1310.00", currency: "USD" },
  }),
  "loan.disbursed": published("The borrower has the money", {
    ...loan,
    amount: { amount: "1000.00", currency: "USD" },
  }),
  "loan.repayment_verified": published("A repayment was received", repayment),
  "loan.repayment_rejected": published("A reported repayment was not found", repayment),
  "loan.repayment_overdue": published("The due date of an instalment has passed unpaid", {
    ...loan,
    amount: { amount: "88.85", currency: "USD" },
    dueOn: { day: "2026-12-01" },
  }),
  "loan.paid_off": published("Nothing is owed any more", loan),

  "security.password_reset": secured(
    "A new password can be set by a token",
    { token: "prt_3f9c1d" },
    { ...email, required: ["token"], secret: ["token"] },
  ),
  "security.password_changed": secured("The password was changed", {}, email),
  "security.payment_code": secured(
    "A code for one payment, with what it pays and to whom",
    { code: "123456", amount: { amount: "25.00", currency: "USD" }, payee: "Chidi Okafor" },
    { required: ["code", "amount", "payee"], secret: ["code"] },
  ),
  "security.change_code": secured(
    "A code for one change of the account, with what it changes",
    { code: "123456", change: "change your PIN" },
    { required: ["code", "change"], secret: ["code"] },
  ),
  "security.contact_code": secured(
    "A code that confirms a new contact",
    { code: "123456", contact: "e-mail address" },
    code,
  ),
  "security.registration_code": secured("A code that opens an account", { code: "123456" }, { ...email, ...code }),
  "security.phone_code": secured(
    "A code that confirms the phone number",
    { code: "123456" },
    { channels: ["SMS"], ...code },
  ),
  "security.email_link": secured(
    "A link that confirms the e-mail address",
    { link: "https://bank.example/api/v6/services/compliance/confirm-email?token=3f9c1d" },
    { ...email, required: ["link"], secret: ["link"] },
  ),
};

export const kindNames = Object.keys(kinds) as Kind[];

export function isKind(text: string): text is Kind {
  return Object.hasOwn(kinds, text);
}

export function isCustomerMessage(type: string): type is CustomerMessageType {
  return (customerMessageTypes as readonly string[]).includes(type);
}
