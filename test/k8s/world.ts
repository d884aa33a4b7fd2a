import { randomUUID } from "node:crypto";
import { JsonNumber, printJson } from "../../services/kernel/json.js";
import { transactionBody, type Demo, type DemoTenant, type DemoUser } from "../support/edge-client.js";
import type { Outside } from "./edge.js";
import type { OutsideAnswer, OutsideRequest } from "./outside.js";

const api = "/api/v6/services";
const loans = "/api/v1/services";
const investments = "/api/v1/user";

/** What a client's app asks for, as requests that the client outside can send many times. */
export type Session = ReturnType<typeof sessionOf>;

export interface Answer extends OutsideAnswer {
  // As the contract's shapes are; tests look at a field or two.
  body: any;
}

/** Logs a user in through the gateway. */
export async function logIn(outside: Outside, base: string, demo: Demo, email: string) {
  const tenant = demo.tenants[0];
  const user = tenant?.users.find((one) => one.email.startsWith(email));
  if (user === undefined) throw new Error(`the demo has no ${email}`);
  const request = {
    method: "PUT",
    path: `${api}/securitymanagement/login`,
    headers: { host: "localhost", "content-type": "application/json" },
    body: JSON.stringify({ email: user.email, currentPassword: user.password }),
  };
  const answer = parsed(await outside.send(base, request));
  if (answer.status !== 200) throw new Error(`${email} cannot log in: ${answer.status} ${answer.text}`);
  return sessionOf(outside, base, {
    user,
    product: tenant?.investmentProducts?.[0],
    token: String(answer.body.access_token),
  });
}

function parsed(answer: OutsideAnswer): Answer {
  try {
    return { ...answer, body: JSON.parse(answer.text) };
  } catch {
    return { ...answer, body: undefined };
  }
}

interface LoggedIn {
  user: DemoUser;
  token: string;
  /** One that can be bought. */
  product: NonNullable<DemoTenant["investmentProducts"]>[number] | undefined;
}

function sessionOf(outside: Outside, base: string, { user, token, product }: LoggedIn) {
  const headers = { host: "localhost", "x-auth-token": token };
  const json = { ...headers, "content-type": "application/json" };
  const get = (path: string, more: Record<string, string> = {}, below = api): OutsideRequest => ({
    method: "GET",
    path: `${below}/${path}`,
    headers: { ...headers, ...more },
  });
  const post = (path: string, key: string, body: object = {}): OutsideRequest => ({
    method: "POST",
    path,
    headers: { ...json, "x-idempotency-key": key },
    body: printJson(body),
  });
  const fapi = (interactionId: string) => ({
    "x-fapi-interaction-id": interactionId,
    "x-fapi-auth-date": new Date().toISOString(),
    "x-fapi-customer-ip-address": "203.0.113.7",
  });
  const wallet = (currency: string) => {
    const found = user.wallets?.find((one) => one.currency === currency);
    if (found === undefined) throw new Error(`${user.email} has no ${currency} wallet`);
    return found.accountId;
  };
  const requests = {
    wallets: () => get("paymentmanagement/wallet-accounts"),
    beneficiaries: () => get("usermanagement/find-all-beneficiery"),
    policy: () => get("compliance/list-organisation-compliance-policy"),
    preference: () => get("admin/organisation-preference-management/fetch-organisaction-preference"),
    transaction: (id: string) => get(`transactionmanagement/transactions/${id}`),
    ledger: (interactionId: string) => get("ledger/account-ledger-history-interaction-id", fapi(interactionId)),
    loans: () => get(`user/get-loan-history/${user.customerId}`, {}, loans),
    loan: (applicationId: string) => get(`user/schedule/${applicationId}`, {}, loans),
    investments: () => get("investments", {}, investments),
    /** Units of the tenant's first product, for money of the wallet in its currency. */
    invest: (units: number, key: string) =>
      post(`${investments}/apply`, key, {
        investmentProductId: product?.id,
        numberOfUnitsToPurchase: units,
        userWalletId: wallet(product?.currency ?? ""),
        customerId: user.customerId,
        customerName: user.name,
      }),
    applyForLoan: (amount: string, key: string) =>
      post(`${loans}/user/apply`, key, { productId: "personal", amount, instalments: 6, monthlyIncome: "5000" }),
    acceptLoan: (applicationId: string, key: string) =>
      post(`${loans}/user/loan-applications/${applicationId}/accept`, key, { walletAccountId: wallet("USD") }),
    /** Managers': one asks, another approves. */
    disburse: (applicationId: string, key: string) =>
      post(`${loans}/staff/loan-applications/${applicationId}/disburse`, key, { reason: "signed" }),
    approval: (approvalId: string) => get(`admin/approvals/${approvalId}`),
    approve: (approvalId: string, digest: string, key: string) =>
      post(`${api}/admin/approvals/${approvalId}/approve`, key, { reason: "seen", digest }),
    payOff(applicationId: string, key: string): OutsideRequest {
      const requested = post(`${loans}/user/payoff-loan`, key, {
        loanApplicationId: applicationId,
        paymentMethod: "WALLET",
      });
      return { ...requested, headers: { ...requested.headers, ...fapi(randomUUID()) } };
    },
    /** `key` may hold `{{n}}`. */
    create: (sendAmount: string, key: string, interactionId?: string): OutsideRequest => ({
      method: "POST",
      path: `${api}/transactionmanagement/create-transaction`,
      headers: {
        ...json,
        "x-idempotency-key": key,
        ipaddress: "203.0.113.7",
        ...(interactionId === undefined ? {} : { "x-fapi-interaction-id": interactionId }),
      },
      body: printJson(transactionBody(user, { sendAmount, sendCurrency: "USD", originCountry: "USA", to: "NGA" })),
    }),
    /** Pays a transaction or another wallet; `reference` may hold `{{n}}`. */
    pay: (payment: {
      type: "TRANSACTION" | "WALLET_CUSTOMER";
      to: string;
      currency: string;
      total: string;
      reference: string;
      interactionId?: string;
    }): OutsideRequest => ({
      method: "POST",
      path: `${api}/paymentmanagement/makepaymentfromwalletaccount`,
      headers: {
        ...json,
        ...(payment.interactionId === undefined ? {} : { "x-fapi-interaction-id": payment.interactionId }),
      },
      body: printJson({
        payableType: payment.type,
        payAbleId: payment.to,
        password: user.password,
        accountId: wallet(payment.currency),
        totalCheckOutAmount: new JsonNumber(payment.total),
        paymentGatewayRef: payment.reference,
      }),
    }),
  };
  const send = async (request: OutsideRequest): Promise<Answer> => parsed(await outside.send(base, request));
  return {
    user,
    product,
    wallet,
    requests,
    send,
    /** Balance in cents. */
    async balanceOf(currency: string): Promise<bigint> {
      const { body, text } = await send(requests.wallets());
      const accounts = (body?.data ?? []) as { accountId: string; availableBalance: string }[];
      const found = accounts.find(({ accountId }) => accountId === wallet(currency));
      if (found === undefined) throw new Error(`no ${currency} wallet in ${text.slice(0, 300)}`);
      return BigInt(found.availableBalance.replace(".", ""));
    },
  };
}

/**
 * Traffic like that of an app: mostly reads, some transactions, some payments that ask for the
 * password.
 */
export function traffic(sender: Session, receiver: Session): OutsideRequest[] {
  const times = (count: number, request: () => OutsideRequest) => Array.from({ length: count }, request);
  const mix = [
    ...times(12, () => sender.requests.wallets()),
    ...times(12, () => receiver.requests.beneficiaries()),
    ...times(6, () => sender.requests.policy()),
    ...times(6, () => receiver.requests.preference()),
    ...times(4, () => sender.requests.ledger(randomUUID())),
    ...times(4, () => sender.requests.loans()),
    ...times(4, () => sender.requests.investments()),
    sender.requests.create("1.00", "load-{{n}}"),
    sender.requests.pay({
      type: "WALLET_CUSTOMER",
      to: receiver.wallet("KES"),
      currency: "KES",
      total: "0.01",
      reference: "load-{{n}}",
    }),
  ];
  // Spread, so that every stretch of it is a fair sample.
  const step = 17;
  return mix.map((_, index) => mix[(index * step) % mix.length] as OutsideRequest);
}
