import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { JsonNumber } from "../../services/kernel/json.js";
import { sendToEdge, type EdgeReply } from "./edge-request.js";

const services = "/sandbox/api/v6/services";
const payoutTimeoutMs = 60_000;
/** Ends from which no payout follows. */
const notPaidOut: ReadonlySet<string> = new Set(["REFUNDED", "REJECTED", "CANCELLED", "EXPIRED"]);

/** Who pays, and where: a customer of a tenant's sandbox with a wallet and a saved recipient. */
export interface SandboxPayer {
  gatewayUrl: string;
  /** A host name of the tenant. */
  host: string;
  email: string;
  password: string;
}

interface Recipient {
  code: string;
  country: string;
  currency: string;
  deliveryMethods: string[];
  creditParty: object[];
}

// The pair has no price: another one may.
const notOffered = new Set(["CORRIDOR_NOT_FOUND", "CORRIDOR_DISABLED", "RATE_NOT_AVAILABLE", "AMOUNT_OUT_OF_LIMITS"]);

/**
 * Sends one payment in a sandbox, through everything that a payment passes: signs in, creates a
 * transaction of 10, pays it from the wallet, waits until it is paid out, and ends its own
 * session. What was there before is left alone. Throws with the first answer that is not as it
 * should be; `print` gets a line a step, without secrets.
 */
export async function payInSandbox(payer: SandboxPayer, print: (line: string) => void): Promise<void> {
  const { gatewayUrl, host, email, password } = payer;
  const interactionId = randomUUID();
  const call = await signIn();
  try {
    const { customer } = dataOf<{ customer: Sender }>(await call("GET", "/usermanagement/profile"));
    const recipients = dataOf<Recipient[]>(await call("GET", "/usermanagement/find-all-beneficiery"));
    const wallets = dataOf<Wallet[]>(await call("GET", "/paymentmanagement/wallet-accounts"));
    print(`${wallets.length} wallets, ${recipients.length} recipients`);
    const { transaction, wallet } = await create(customer, recipients, wallets);
    print(`transaction ${transaction.id}: ${transaction.totalAmount} ${wallet.currency} with fees`);
    await pay(transaction, wallet);
    print("paid from the wallet");
    await untilPaidOut(transaction.id);
    print("paid out");
  } finally {
    await call("POST", "/securitymanagement/logout", {}).catch(() => undefined);
  }

  type Call = (
    method: string,
    path: string,
    body?: Record<string, unknown>,
    refused?: Set<string>,
  ) => Promise<EdgeReply>;

  async function signIn(): Promise<Call> {
    const headers: Record<string, string> = { "x-fapi-interaction-id": interactionId, ipAddress: "203.0.113.7" };
    const send: Call = async (method, path, body, refused) => {
      const keyed = body === undefined ? headers : { ...headers, "X-Idempotency-Key": randomUUID() };
      const request = { method, path: services + path, headers: keyed, ...(body && { body }) };
      const reply = await sendToEdge(gatewayUrl, host, request);
      const { status, content } = reply;
      if (status === 200 || refused?.has(String(content["code"]))) return reply;
      throw new Error(
        `${method} ${path} was answered ${status} ${String(content["code"])}: ${String(content["message"])}`,
      );
    };
    const session = await send("PUT", "/securitymanagement/login", { email, currentPassword: password });
    headers["X-Auth-Token"] = String(session.content["access_token"]);
    print(`${email} is signed in`);
    return send;
  }

  /** With the first wallet and recipient that the tenant has a price for. */
  async function create(sender: Sender, recipients: readonly Recipient[], wallets: readonly Wallet[]) {
    for (const wallet of wallets) {
      for (const recipient of recipients) {
        const body = orderOf(sender, recipient, wallet.currency);
        const reply = await call("POST", "/transactionmanagement/create-transaction", body, notOffered);
        if (reply.status === 200) return { transaction: dataOf<Transaction>(reply), wallet };
      }
    }
    throw new Error("the sandbox has a price for none of the customer's wallets and recipients");
  }

  async function pay({ id, totalAmount }: Transaction, { accountId }: Wallet): Promise<void> {
    await call("POST", "/paymentmanagement/makepaymentfromwalletaccount", {
      payableType: "TRANSACTION",
      payAbleId: id,
      accountId,
      password,
      totalCheckOutAmount: new JsonNumber(totalAmount),
      paymentGatewayRef: `helm-test-${interactionId}`,
    });
  }

  async function untilPaidOut(transactionId: string): Promise<void> {
    const giveUpAt = Date.now() + payoutTimeoutMs;
    for (;;) {
      const { status } = dataOf<{ status: string }>(
        await call("GET", `/transactionmanagement/transactions/${transactionId}`),
      );
      if (status === "COMPLETED") return;
      if (notPaidOut.has(status)) {
        throw new Error(`the transaction is ${status}: GET /sandbox/outcomes says what was forced to end so`);
      }
      if (Date.now() > giveUpAt) throw new Error(`the transaction is ${status} and not paid out after a minute`);
      await sleep(500);
    }
  }
}

interface Sender {
  customerCode: string;
  country: string;
}
interface Wallet {
  accountId: string;
  currency: string;
}
interface Transaction {
  id: string;
  totalAmount: string;
}

function dataOf<Data>({ content }: EdgeReply): Data {
  return content["data"] as Data;
}

function orderOf(sender: Sender, recipient: Recipient, currency: string): Record<string, unknown> {
  return {
    sendAmount: "10",
    sendCurrency: currency,
    receivingCurrency: recipient.currency,
    inclussive: false,
    type: recipient.deliveryMethods[0],
    preExistingSenderCustomerCode: sender.customerCode,
    preExistingRecipientCustomerCode: recipient.code,
    // Account numbers come masked, and stand for what is saved.
    creditParty: recipient.creditParty,
    internationalTransferInformation: {
      originCountry: sender.country,
      receivingCountry: recipient.country,
      remittancePurpose: "FAMILY_SUPPORT",
      sourceOfFunds: "SALARY",
    },
  };
}
