import { randomUUID } from "node:crypto";
import { eventually, type Person, type WalletFixture } from "./wallet-fixture.js";
import { rightPassword as password } from "./stand-in-identity.js";

const key = () => ({ idempotencyKey: randomUUID() });
// Codes work once, whoever's they are.
let code = 200_000;

export type WalletScene = Awaited<ReturnType<typeof createWalletScene>>;

/** Somebody with something of every kind that can be named in a request, and the people around. */
export async function createWalletScene(wallet: WalletFixture) {
  const owner = wallet.person();
  const { tenantId } = owner;
  const [friend, manager, cashier] = [
    wallet.person(tenantId),
    wallet.person(tenantId, "MANAGER"),
    wallet.person(tenantId, "CASHIER"),
  ];
  const usd = await wallet.wallet(owner, "USD", 500_00n);
  const ngn = await wallet.wallet(owner, "NGN", 500_00n);
  const theirs = await wallet.wallet(friend, "USD", 500_00n);
  const [owners, friends, managers, cashiers] = [owner, friend, manager, cashier].map((one) => () => wallet.calls(one));
  const bank = { country: "NGA", currency: "NGN", bankCode: "058", accountNumber: "0123456789" };
  const { account } = await wallet.gateway.addBankAccount({ ...key(), ...bank }, owners!());
  const { till } = await wallet.gateway.openTill({ ...key(), currency: "USD", float: "200" }, cashiers!());
  const held = { accountId: usd.accountId, payeeAccountId: theirs.accountId, amount: "5", password };
  const { hold } = await wallet.gateway.createHold({ ...key(), ...held }, owners!());
  const between = { fromAccountId: usd.accountId, toAccountId: ngn.accountId, amount: "5" };
  const { quote } = await wallet.gateway.quoteExchange({ ...key(), ...between }, owners!());
  const { payment } = await wallet.pay(owner, {
    accountId: usd.accountId,
    payableType: "PAYABLE_TYPE_WALLET_CUSTOMER",
    payableId: theirs.accountId,
    totalCheckoutAmount: "5",
  });
  const requested = { payeeAccountId: theirs.accountId, amount: "5", payerCustomerId: owner.customerId };
  const { payable } = await wallet.gateway.requestPayment({ ...key(), ...requested }, friends!());
  const creditId = `cr-${randomUUID()}`;
  const credit = { account: tenantId, collection: "wallet", currency: "USD", senderName: "Chidi Okafor" };
  await wallet.bank("/bank/credits", { ...credit, creditId, amount: "5", reference: "thank you" });
  await eventually("the credit", async () => {
    const { credits } = await wallet.gateway.listUnmatchedCredits({}, managers!());
    return credits.length === 1;
  });
  return {
    tenantId,
    owner,
    friend,
    manager,
    cashier,
    usd: usd.accountId,
    ngn: ngn.accountId,
    theirs: theirs.accountId,
    bankAccountId: account?.bankAccountId ?? "",
    tillId: till?.tillId ?? "",
    holdId: hold?.holdId ?? "",
    quoteId: quote?.quoteId ?? "",
    paymentId: payment?.paymentId ?? "",
    payableId: payable?.payableId ?? "",
    creditId,
  };
}

export type Draft = Record<string, unknown>;
export interface WalletOperation {
  /** Whose request it is. */
  by: (scene: WalletScene) => Person;
  /** One that would be done. */
  good: (scene: WalletScene) => Draft;
  /** Its fields, by how they can be wrong. */
  ids?: string[];
  amounts?: string[];
  texts?: Record<string, number>;
  others?: [string, unknown][];
  /** Amounts that may be nothing. */
  zero?: string[];
  /** It has no key that must be there. */
  keyless?: true;
}

/** By the rpc's name. */
export const walletOperations: Readonly<Record<string, WalletOperation>> = {
  makePayment: {
    by: ({ owner }) => owner,
    good: ({ usd, payableId }) => ({
      payableType: "PAYABLE_TYPE_WALLET",
      payableId,
      accountId: usd,
      totalCheckoutAmount: "5",
      paymentGatewayRef: randomUUID(),
      password,
    }),
    ids: ["payableId", "accountId"],
    amounts: ["totalCheckoutAmount"],
    texts: { paymentGatewayRef: 255 },
    others: [
      ["payableType", "PAYABLE_TYPE_UNSPECIFIED"],
      ["currency", "DOLLARS"],
      ["accountNumber", "1".repeat(129)],
    ],
    keyless: true,
  },
  requestPayment: {
    by: ({ owner }) => owner,
    good: ({ usd }) => ({ payeeAccountId: usd, amount: "5" }),
    ids: ["payeeAccountId"],
    amounts: ["amount"],
    others: [
      ["description", "x".repeat(141)],
      ["payerCustomerId", "x".repeat(129)],
      ["expiresInS", 59],
      ["expiresInS", 31_536_001],
    ],
  },
  issuePayable: {
    by: ({ manager }) => manager,
    good: () => ({ type: "BILL", payeeName: "City Power", currency: "USD", principal: "5", fee: "1", tax: "1" }),
    amounts: ["principal"],
    zero: ["fee", "tax"],
    texts: { payeeName: 100 },
    others: [
      ["type", "WITHDRAWAL"],
      ["currency", "ZZZ"],
      ["reference", "x".repeat(65)],
      ["description", "x".repeat(141)],
      ["expiresInS", 5],
      ["payeeCode", "City-Power"],
      ["payeeCode", "city--power"],
      ["payeeCode", "x".repeat(41)],
    ],
  },
  requestWithdrawal: {
    by: ({ owner }) => owner,
    good: ({ bankAccountId }) => ({ bankAccountId, amount: "5" }),
    ids: ["bankAccountId"],
    amounts: ["amount"],
    others: [["description", "x".repeat(141)]],
  },
  topUpByCard: {
    by: ({ owner }) => owner,
    good: ({ usd }) => ({ accountId: usd, amount: "5", cardToken: "tok_refused" }),
    ids: ["accountId"],
    amounts: ["amount"],
    texts: { cardToken: 255 },
  },
  assignCredit: {
    by: ({ manager }) => manager,
    good: ({ creditId, usd }) => ({ creditId, accountId: usd, reason: "They called" }),
    ids: ["creditId", "accountId"],
    texts: { reason: 500 },
  },
  createHold: {
    by: ({ owner }) => owner,
    good: ({ usd, theirs }) => ({ accountId: usd, payeeAccountId: theirs, amount: "5", password }),
    ids: ["accountId", "payeeAccountId"],
    amounts: ["amount"],
    others: [
      ["description", "x".repeat(141)],
      ["expiresInS", 59],
      ["expiresInS", 2_592_001],
    ],
  },
  confirmHold: {
    by: ({ friend }) => friend,
    good: ({ holdId }) => ({ holdId, amount: "5" }),
    ids: ["holdId"],
    amounts: ["amount"],
  },
  releaseHold: {
    by: ({ friend }) => friend,
    good: ({ holdId }) => ({ holdId }),
    ids: ["holdId"],
  },
  quoteExchange: {
    by: ({ owner }) => owner,
    good: ({ usd, ngn }) => ({ fromAccountId: usd, toAccountId: ngn, amount: "5" }),
    ids: ["fromAccountId", "toAccountId"],
    amounts: ["amount"],
  },
  executeExchange: {
    by: ({ owner }) => owner,
    good: ({ quoteId }) => ({ quoteId }),
    ids: ["quoteId"],
  },
  refundPayment: {
    by: ({ manager }) => manager,
    good: ({ paymentId }) => ({ paymentId, amount: "5", reason: "Sent back" }),
    ids: ["paymentId"],
    amounts: ["amount"],
    texts: { reason: 500 },
  },
  openTill: {
    by: ({ cashier }) => cashier,
    good: () => ({ currency: "EUR", float: "5" }),
    zero: ["float"],
    others: [["currency", "ZZZ"]],
  },
  moveVaultCash: {
    by: ({ manager }) => manager,
    good: () => ({ currency: "USD", amount: "5", direction: "FROM_BANK", reference: "Slip 4711" }),
    amounts: ["amount"],
    texts: { reference: 128 },
    others: [
      ["currency", "ZZZ"],
      ["direction", ""],
      ["direction", "FROM_THE_BANK"],
    ],
  },
  countTill: {
    by: ({ cashier }) => cashier,
    good: ({ tillId }) => ({ tillId, counted: "5" }),
    ids: ["tillId"],
    zero: ["counted"],
    others: [["counted", ""]],
  },
  closeTill: {
    by: ({ cashier }) => cashier,
    good: ({ tillId }) => ({ tillId, counted: "200", reason: "As counted" }),
    ids: ["tillId"],
    zero: ["counted"],
    others: [
      ["counted", ""],
      ["reason", "a\u0007b"],
      ["reason", "x".repeat(301)],
    ],
  },
  cashIn: {
    by: ({ cashier }) => cashier,
    good: ({ tillId, usd }) => ({ tillId, accountId: usd, amount: "5" }),
    ids: ["tillId", "accountId"],
    amounts: ["amount"],
  },
  cashOut: {
    by: ({ cashier }) => cashier,
    good: ({ tillId, usd }) => ({ tillId, accountId: usd, amount: "5", password, otp: String((code += 1)) }),
    ids: ["tillId", "accountId"],
    amounts: ["amount"],
  },
};

const idFaults = ["x".repeat(129), "a\u0000b"];
const amountFaults = ["x", "1e3", "NaN", "-1", "1.001", "1,5", " 1", "0x10"];

/** Every field of an operation in every way it can be wrong. */
export function faultsOf({ ids = [], amounts = [], zero = [], texts = {}, others = [], keyless }: WalletOperation) {
  const keys = keyless === undefined ? [["idempotencyKey", ""] as const] : [];
  return [
    ...keys,
    ...["k".repeat(256), "a\u0007b"].map((wrong) => ["idempotencyKey", wrong] as const),
    ...ids.flatMap((path) => ["", ...idFaults].map((wrong) => [path, wrong] as const)),
    ...[...amounts, ...zero].flatMap((path) => amountFaults.map((wrong) => [path, wrong] as const)),
    ...Object.entries(texts).flatMap(([path, most]) =>
      ["", "x".repeat(most + 1), "a\u0000b"].map((wrong) => [path, wrong] as const),
    ),
    ...others,
  ];
}
