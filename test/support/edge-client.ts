import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { JsonNumber, printJson } from "../../services/kernel/json.js";
import { assertDocumented } from "./answer-check.js";

export interface DemoUser {
  email: string;
  password: string;
  role: "MANAGER" | "AGENT" | "CASHIER" | "CUSTOMER";
  userId: string;
  customerId?: string;
  customerCode?: string;
  name?: string;
  country?: string;
  wallets?: { accountId: string; accountNumber: string; currency: string; balance: string }[];
  beneficiaries?: {
    code: string;
    name: string;
    country: string;
    currency: string;
    deliveryMethods: string[];
    creditParty: { key: string; value: string }[];
  }[];
}

export interface DemoTenant {
  id: string;
  host: string;
  users: DemoUser[];
  corridors: { originCountry: string; sendCurrency: string; receivingCountry: string; receivingCurrency: string }[];
  investmentProducts?: { id: string; name: string; unitPrice: string; currency: string; unitsLeft: string }[];
}

export interface Demo {
  baseUrl: string;
  tenants: DemoTenant[];
}

/** The demo tenants of the cluster under test. */
export function readDemo(dataDir = process.env["E2E_DATA_DIR"] ?? ""): Demo {
  return JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8")) as Demo;
}

/** The first user of a role in the tenant at `index`; `email` picks another one. */
export function demoUser(demo: Demo, role: DemoUser["role"], { tenant = 0, email = "" } = {}): DemoUser {
  const user = demo.tenants[tenant]?.users.find((one) => one.role === role && one.email.startsWith(email));
  if (user === undefined) throw new Error(`the demo has no ${role} ${email}`);
  return user;
}

export interface EdgeAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Numbers as JavaScript reads them: fine for amounts that tests use. */
  body: any;
}

export interface EdgeOptions {
  headers?: Record<string, string>;
  body?: unknown;
  /** Sent as it is, instead of a printed body. */
  rawBody?: string | Buffer;
}

export type EdgeClient = ReturnType<typeof createEdgeClient>;

export const services = "/api/v6/services";

/**
 * Speaks HTTP to a gateway for one tenant, as a client's app would, and rejects what is not as
 * documented; below `prefix` where it speaks to the sandbox.
 */
export function createEdgeClient(baseUrl: string, host = "localhost", prefix = "") {
  const base = new URL(baseUrl);
  let token: string | undefined;

  /** As an app does, asks again where too many passwords are compared at once. */
  async function send(method: string, path: string, options: EdgeOptions = {}): Promise<EdgeAnswer> {
    for (let tries = 1; ; tries += 1) {
      const answer = await sendOnce(method, path, options);
      if (answer.body?.code !== "OVERLOADED" || tries === 60) return answer;
      await sleep(1_000 * Number(answer.headers["retry-after"] ?? 1));
    }
  }

  /** Resolves with whatever is answered; rejects when the connection ends without an answer. */
  function sendOnce(method: string, path: string, options: EdgeOptions): Promise<EdgeAnswer> {
    const payload = options.rawBody ?? (options.body === undefined ? undefined : printJson(options.body));
    const headers: Record<string, string> = { host, ...(token === undefined ? {} : { "x-auth-token": token }) };
    if (payload !== undefined) headers["content-type"] = "application/json";
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          host: base.hostname,
          port: base.port,
          method,
          path: prefix + path,
          headers: { ...headers, ...options.headers },
          timeout: 20_000,
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () => {
            const text = Buffer.concat(chunks).toString("utf8");
            const status = response.statusCode ?? 0;
            try {
              const contentType = response.headers["content-type"] ?? "";
              assertDocumented({ method, path, status, contentType, text });
            } catch (error) {
              reject(error as Error);
              return;
            }
            resolve({ status, headers: response.headers, text, body: bodyOf(text) });
          });
        },
      );
      request.on("timeout", () => request.destroy(new Error("no answer within 20 s")));
      request.on("error", reject);
      request.end(payload);
    });
  }

  const client = {
    send,
    token: () => token,
    useToken: (value: string | undefined) => {
      token = value;
    },
    /** A client that holds this user's session. */
    async login(user: { email: string; password: string }): Promise<EdgeAnswer> {
      const answer = await send("PUT", `${services}/securitymanagement/login`, {
        body: { email: user.email, currentPassword: user.password },
      });
      if (answer.status === 200) token = answer.body.access_token;
      return answer;
    },
    /**
     * The first sign-in of somebody whom staff registered: they choose a password of their own and
     * log in with it.
     */
    async loginFirst({ email, password, ownPassword }: { email: string; password: string; ownPassword: string }) {
      const security = `${services}/securitymanagement`;
      const given = await client.login({ email, password });
      if (given.status !== 200) throw new Error(`the first log-in was answered ${given.text}`);
      const profile = await send("GET", `${services}/usermanagement/profile`);
      if (profile.body.code !== "PASSWORD_CHANGE_REQUIRED") throw new Error(`a profile was answered ${profile.text}`);
      const body = { currentPassword: password, newPassword: ownPassword };
      const changed = await send("PUT", `${security}/change-password`, { body });
      if (changed.status !== 200) throw new Error(`the change of the password was answered ${changed.text}`);
      const own = await client.login({ email, password: ownPassword });
      if (own.status !== 200) throw new Error(`the log-in was answered ${own.text}`);
    },
    /**
     * Creates a transaction in the corridor of a beneficiary; fields of `body` and `headers` win.
     */
    createTransaction(sender: DemoUser, order: TransactionOrder, headers: Record<string, string> = {}) {
      return send("POST", `${services}/transactionmanagement/create-transaction`, {
        headers: { "x-idempotency-key": randomUUID(), ipAddress: "203.0.113.7", ...headers },
        body: transactionBody(sender, order),
      });
    },
    pay(
      user: DemoUser,
      payment: Partial<PaymentOrder> & Pick<PaymentOrder, "payAbleId" | "accountId" | "total">,
      headers = {},
    ): Promise<EdgeAnswer> {
      const { total, ...rest } = payment;
      const body = {
        payableType: "TRANSACTION",
        password: user.password,
        paymentGatewayRef: `ref-${randomUUID()}`,
        ...rest,
        totalCheckOutAmount: new JsonNumber(total),
      };
      const path = `${services}/paymentmanagement/makepaymentfromwalletaccount`;
      return send("POST", path, { headers, body });
    },
    async balanceOf(accountId: string): Promise<string> {
      const answer = await send("GET", `${services}/paymentmanagement/wallet-accounts`);
      const accounts = answer.body.data as { accountId: string; availableBalance: string }[];
      const found = accounts.find((one) => one.accountId === accountId);
      if (found === undefined) throw new Error(`no account ${accountId} in ${answer.text}`);
      return found.availableBalance;
    },
    cancel: (id: string, headers: Record<string, string> = {}) =>
      send("POST", `${services}/transactionmanagement/transactions/${id}/cancel`, {
        headers: { "x-idempotency-key": randomUUID(), ...headers },
        body: {},
      }),
    readTransaction: (id: string) => send("GET", `${services}/transactionmanagement/transactions/${id}`),
    eventsOf: (subject: string) => send("GET", `${services}/admin/events?subject=${subject}&size=100`),
    ledgerOf: (interactionId: string) =>
      send("GET", `${services}/ledger/account-ledger-history-interaction-id`, {
        headers: {
          "x-fapi-interaction-id": interactionId,
          "x-fapi-auth-date": new Date().toISOString(),
          "x-fapi-customer-ip-address": "203.0.113.7",
        },
      }),
  };
  return client;
}

export interface PaymentOrder {
  payAbleId: string;
  accountId: string;
  /** Decimal text; sent as a JSON number. */
  total: string;
  payableType: string;
  password: string;
  paymentGatewayRef: string;
  accountNumber: string;
  paymentAccountNumbeCurrencyCode: string;
}

export interface TransactionOrder {
  sendAmount: string;
  sendCurrency: string;
  originCountry: string;
  /** alpha-3 of the beneficiary to pay. */
  to: string;
  body?: Record<string, unknown>;
}

/** A complete create-transaction body of §2.18. */
export function transactionBody(sender: DemoUser, order: TransactionOrder): Record<string, unknown> {
  const recipient = sender.beneficiaries?.find(({ country }) => country === order.to);
  if (recipient === undefined) throw new Error(`${sender.email} has no beneficiary in ${order.to}`);
  return {
    sendAmount: order.sendAmount,
    inclussive: false,
    sendCurrency: order.sendCurrency,
    receivingCurrency: recipient.currency,
    type: recipient.deliveryMethods[0],
    preExistingSenderCustomerCode: sender.customerCode,
    preExistingRecipientCustomerCode: recipient.code,
    creditParty: recipient.creditParty,
    internationalTransferInformation: {
      originCountry: order.originCountry,
      receivingCountry: recipient.country,
      remittancePurpose: "FAMILY_SUPPORT",
      sourceOfFunds: "SALARY",
    },
    transactionProcessingMode: "REAL_TIME",
    transactionModule: "REMITTANCE",
    ...order.body,
  };
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
