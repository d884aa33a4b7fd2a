import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AuthenticationError, type Body } from "../../sdk/src/index.js";
import { outliveReaders } from "../cli/help.js";
import { dataDirOf, readClusterFile } from "../local/cluster-file.js";
import { createDemoClient, type DemoClient } from "./client.js";
import { ipAddress, saveRecipient, screenedPayment, type Recipient } from "./screened-payment.js";
import { showWebhooks } from "./webhooks.js";

/**
 * Walks the main job against a running cluster, printing each request, its answer and the balance:
 * log in, look around, create a transaction, pay for it from the wallet, see it paid out, read it
 * back in the ledger; then one to somebody who is on a list, whom a manager tells apart; then, in
 * the sandbox, events that arrive at a receiver.
 */
interface DemoUser {
  email: string;
  password: string;
  role: string;
  customerCode?: string;
  wallets?: { accountId: string; currency: string }[];
  beneficiaries?: Recipient[];
}

interface Officer {
  client: DemoClient;
  email: string;
}

interface DemoFile {
  baseUrl: string;
  tenants: { id: string; host: string; users: DemoUser[] }[];
}

const waiting = "AWAITING_COMPLIANCE";

async function main(): Promise<void> {
  const file = join(dataDirOf(), "demo.json");
  const text = await readFile(file, "utf8").catch(() => {
    throw new Error(`${file} is not there: start the cluster first with \`npm start\``);
  });
  const demo = demoOf(file, text);
  const ofRole = (role: string) => demo.tenants[0]?.users.find((user) => user.role === role);
  const [sender, manager] = [ofRole("CUSTOMER"), ofRole("MANAGER")];
  if (sender === undefined || manager === undefined) throw new Error(`${file} names no customer or no manager`);
  const clientOf = (user: DemoUser) => createDemoClient(demo.baseUrl, user, console.log);
  await walk(demo.baseUrl, clientOf(sender), sender, { client: clientOf(manager), email: manager.email });
  await walkWebhooks(demo.baseUrl, sender, manager);
}

function demoOf(file: string, text: string): DemoFile {
  try {
    const demo = JSON.parse(text) as DemoFile;
    if (Array.isArray(demo.tenants)) return demo;
  } catch {
    // Said below, as of any other file that is not whole.
  }
  throw new Error(`${file} is not whole: \`npm start\` makes it again`);
}

async function walk(baseUrl: string, client: DemoClient, sender: DemoUser, officer: Officer) {
  const { manilla } = client;
  const wallet = sender.wallets?.find(({ currency }) => currency === "USD");
  const recipient = sender.beneficiaries?.find(({ country }) => country === "NGA");
  if (wallet === undefined || recipient === undefined)
    throw new Error("the demo customer needs a USD wallet and a beneficiary in NGA");
  const interactionId = randomUUID();

  client.heading(`1. ${sender.email} logs in with the first call, which asks what the organisation prefers`);
  await manilla.organisation.fetchPreference();

  client.heading("2. What the organisation asks for, and whom money can go to");
  await manilla.compliance.listOrganisationPolicy();
  await manilla.beneficiaries.findAll();

  client.heading("3. The wallet before");
  const before = await balanceOf(client, wallet.accountId);

  client.heading(`4. A transaction: 100.00 USD to ${recipient.name}`);
  const { id, totalAmount } = await payableTransaction(client, sender, recipient, interactionId);

  client.heading("5. Paid from the wallet");
  const payment = {
    payableType: "TRANSACTION",
    payableId: id,
    password: sender.password,
    accountId: wallet.accountId,
    totalCheckOutAmount: totalAmount,
    paymentGatewayRef: `demo-${randomUUID()}`,
  } as const;
  const idempotencyKey = randomUUID();
  const pay = () => manilla.payments.payFromWallet(payment, { idempotencyKey, interactionId });
  await pay();

  client.heading("6. The same payment sent again, as after a lost answer: the stored answer, and no second debit");
  await pay();

  client.heading("7. The transaction, once the payout partner has paid it out");
  await untilStatus(client, id, "COMPLETED");

  client.heading("8. What the ledger wrote under this interaction id");
  await manilla.ledger.historyByInteractionId(interactionId, { ipAddress });

  client.heading("9. The wallet after");
  const after = await balanceOf(client, wallet.accountId);
  client.note(`balance ${before} USD → ${after} USD, paid ${totalAmount} USD`);

  client.heading("10. A transaction to somebody whose name is on a list: it waits, and nobody is told why");
  await screenedPayment({ client, officer, recipient, order: (to) => orderOf(sender, to) });

  client.heading("11. Logged out: the token is refused from now on");
  const { accessToken } = manilla.session!;
  await manilla.security.logout();
  const refused = createDemoClient(baseUrl, { apiToken: accessToken }, console.log);
  await refused.manilla.beneficiaries.findAll().then(
    () => {
      throw new Error("the token of a session that has ended is still taken");
    },
    (error: unknown) => {
      if (!(error instanceof AuthenticationError)) throw error;
    },
  );
}

/**
 * One that can be paid for: to a recipient of its own where the saved one waits for compliance,
 * as after a run that was cut off.
 */
async function payableTransaction(client: DemoClient, sender: DemoUser, recipient: Recipient, interactionId: string) {
  const create = (to: Recipient) =>
    client.manilla.transactions.create(orderOf(sender, to), { ipAddress, interactionId });
  const first = await create(recipient);
  if (first.status !== waiting) return first;
  client.note(`${recipient.name} waits for a manager, of an earlier run: somebody else is paid`);
  const second = await create(await saveRecipient(client, recipient, { firstName: "Olufunke", lastName: "Adeyemi" }));
  if (second.status === waiting)
    throw new Error(`${sender.email} waits for compliance themselves: a manager has to decide what was found`);
  return second;
}

/** Where the cluster's own partner runs: it is the receiver. */
async function walkWebhooks(baseUrl: string, sender: DemoUser, manager: DemoUser): Promise<void> {
  const partner = readClusterFile(dataDirOf()).addresses["partner"];
  if (partner === undefined) return;
  const client = createDemoClient(baseUrl, manager, console.log, { sandbox: true });
  const { hostname } = new URL(baseUrl);
  await showWebhooks(client, { baseUrl, host: hostname, partner: `http://${partner}` }, { manager, sender });
}

/** 100.00 USD to a saved recipient. */
function orderOf({ customerCode }: DemoUser, recipient: Recipient): Body<"createTransaction"> {
  return {
    sendAmount: "100.00",
    inclusive: false,
    sendCurrency: "USD",
    receivingCurrency: recipient.currency,
    type: recipient.deliveryMethods[0],
    preExistingSenderCustomerCode: customerCode,
    preExistingRecipientCustomerCode: recipient.code,
    creditParty: recipient.creditParty,
    internationalTransferInformation: {
      originCountry: "USA",
      receivingCountry: recipient.country,
      remittancePurpose: "FAMILY_SUPPORT",
      sourceOfFunds: "SALARY",
    },
    transactionProcessingMode: "REAL_TIME",
    transactionModule: "REMITTANCE",
  } as Body<"createTransaction">;
}

async function balanceOf({ manilla }: DemoClient, accountId: string): Promise<string> {
  const accounts = await manilla.payments.listWalletAccounts();
  const account = accounts.find((one) => one.accountId === accountId);
  if (account === undefined) throw new Error(`wallet ${accountId} is not among the customer's accounts`);
  return account.availableBalance;
}

async function untilStatus({ manilla, note, unseen }: DemoClient, id: string, wanted: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if ((await unseen(() => manilla.transactions.read(id))).status === wanted) break;
    await sleep(100);
  }
  const { status } = await manilla.transactions.read(id);
  note(`status ${status}${status === wanted ? "" : ` (expected ${wanted})`}`);
}

outliveReaders();
main().catch((error: Error) => {
  console.error(`demo: ${error.message}`);
  process.exitCode = 1;
});
