import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, decimal, type Body, type Manilla } from "../../../sdk/src/index.js";
import { ipAddress } from "../screened-payment.js";
import { costMinorOf, month, paymentsOf, type MonthPlan, type PlannedPayment } from "./plan.js";

export interface MonthPeople {
  manager: Manilla;
  /** Who approves what the first one proposes. */
  other: Manilla;
  customer: Manilla;
  customerCode: string;
  password: string;
}

type Say = (line: string) => void;

const bank = "own_bank:chase-operating:USD";
const opening = "Opening balance of the bank account";
const endsWithin = { attempts: 60, everyMs: 500 };
const ratesWithin = { attempts: 40, everyMs: 10_000 };
const ended = /^(COMPLETED|FAILED|REJECTED|CANCELLED|EXPIRED|RETURNED|REFUNDED|AWAITING_COMPLIANCE)$/;

/**
 * A month of an organisation in its sandbox, all through the API and by the sandbox's clock:
 * payments, settlements, costs, and days that are closed. What was cut off goes on where it was,
 * since each request has a key of its day; a sandbox that somebody has used is left alone.
 */
export async function liveAMonth(people: MonthPeople, say: Say, plan = month): Promise<void> {
  const { manager } = people;
  const { stretchDays, stretches, closedDays } = plan;
  const begun = await begin(people, plan);
  if (begun === undefined) return say("the sandbox has its month, or somebody uses it");
  const days = daysBetween(begun, (await manager.organisation.readBusinessClock()).businessDate);
  for (let stretch = Math.floor(days / stretchDays); stretch < stretches; stretch += 1) {
    await liveAStretch(people, plan, begun, stretch);
    await manager.sandbox.moveDate({ days: stretchDays }, { idempotencyKey: `month:${begun}:${stretch}:on` });
    say(`${(stretch + 1) * stretchDays} days`);
  }
  const { closable, closedThrough } = await manager.books.readPeriods();
  const [first] = closable;
  if (closedThrough !== undefined || first === undefined) return;
  for (let day = 0; day < closedDays; day += 1) {
    const period = new Date(Date.parse(first) + day * 86_400_000).toISOString().slice(0, 10);
    const { unrevaluedDays } = await manager.books.readPositions();
    if (unrevaluedDays.includes(period)) await revalue(manager, period, `month:${begun}:worth:${period}`);
    await manager.books.closePeriod(period, { idempotencyKey: `month:${begun}:close:${period}` });
    say(`${period} is closed`);
  }
}

/** Once the ledger was told which rates held on the day: that follows the clock within minutes. */
async function revalue(manager: Manilla, day: string, idempotencyKey: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await manager.books.revaluePositions({ day }, { idempotencyKey });
      return;
    } catch (error) {
      const isEarly = error instanceof ApiError && error.code === "RATE_NOT_AVAILABLE";
      if (!isEarly || attempt >= ratesWithin.attempts) throw error;
      await sleep(ratesWithin.everyMs);
    }
  }
}

/** The day on which the month has begun, or begins now; undefined where there is none to live. */
async function begin(people: MonthPeople, { stretchDays, stretches }: MonthPlan): Promise<string | undefined> {
  const { manager } = people;
  const { items: journals } = await manager.books.listJournals({ size: 100 }).page();
  const found = journals.find(({ kind, reason }) => kind === "OPENING" && reason === opening);
  const { businessDate } = await manager.organisation.readBusinessClock();
  if (found !== undefined) {
    const isOver = daysBetween(found.valueDate, businessDate) > stretchDays * stretches;
    const { closedThrough } = await manager.books.readPeriods();
    return isOver || closedThrough !== undefined ? undefined : found.valueDate;
  }
  const { items: transactions } = await manager.transactions.list({ size: 1 }).page();
  if (journals.length > 0 || transactions.length > 0) return undefined;
  await manager.books.openAccount(
    { code: "own_bank", currency: "USD", name: "Chase operating" },
    { idempotencyKey: "month:bank" },
  );
  await post(people, "month:opening", {
    kind: "OPENING",
    reason: opening,
    lines: [
      { accountId: bank, side: "DEBIT", amount: decimal("25000.00"), currency: "USD" },
      { accountId: "own_funds:USD", side: "CREDIT", amount: decimal("25000.00"), currency: "USD" },
    ],
  });
  return businessDate;
}

async function liveAStretch(people: MonthPeople, plan: MonthPlan, begun: string, stretch: number): Promise<void> {
  const { settledIn, rentIn } = plan;
  const key = `month:${begun}:${stretch}`;
  const sent: string[] = [];
  for (const [index, payment] of paymentsOf(stretch).entries()) {
    sent.push(await send(people, payment, `${key}:${index}`));
  }
  for (const id of sent) await untilEnded(people.customer, id);
  if (settledIn.has(stretch)) await settlePartners(people, key);
  if (stretch !== rentIn) return;
  const { accountId } = await people.manager.books.openAccount(
    { code: "operating_expense", currency: "USD", name: "Rent" },
    { idempotencyKey: "month:rent-account" },
  );
  await post(people, `${key}:rent`, {
    reason: "Rent of the month",
    lines: [
      { accountId, side: "DEBIT", amount: decimal("450.00"), currency: "USD" },
      { accountId: bank, side: "CREDIT", amount: decimal("450.00"), currency: "USD" },
    ],
  });
}

async function send(people: MonthPeople, { recipient, sendAmount, outcome }: PlannedPayment, key: string) {
  const { customer, manager, customerCode, password } = people;
  const recipients = await customer.beneficiaries.findAll();
  const to = recipients.find(({ code }) => code === recipient);
  if (to === undefined) throw new Error(`the demo's customer has no recipient ${recipient} in the sandbox`);
  const { id, totalAmount } = await customer.transactions.create(
    {
      sendAmount,
      inclusive: false,
      sendCurrency: "USD",
      receivingCurrency: to.currency,
      type: to.deliveryMethods[0],
      preExistingSenderCustomerCode: customerCode,
      preExistingRecipientCustomerCode: to.code,
      creditParty: to.creditParty,
      internationalTransferInformation: {
        originCountry: "USA",
        receivingCountry: to.country,
        remittancePurpose: "FAMILY_SUPPORT",
        sourceOfFunds: "SALARY",
      },
      transactionProcessingMode: "REAL_TIME",
      transactionModule: "REMITTANCE",
    } as Body<"createTransaction">,
    { ipAddress, idempotencyKey: `${key}:create` },
  );
  if (outcome !== undefined) {
    await manager.sandbox.forceOutcome({ of: "PAYOUT", outcome, subject: id } as Body<"forceOutcome">, {
      idempotencyKey: `${key}:outcome`,
    });
  }
  const wallet = (await customer.payments.listWalletAccounts()).find(({ currency }) => currency === "USD");
  if (wallet === undefined) throw new Error("the demo's customer has no wallet of USD in the sandbox");
  await customer.payments.payFromWallet(
    {
      payableType: "TRANSACTION",
      payableId: id,
      password,
      accountId: wallet.accountId,
      totalCheckOutAmount: totalAmount,
      paymentGatewayRef: key,
    },
    { idempotencyKey: `${key}:pay` },
  );
  return id;
}

/** One that takes longer is left to itself: the month goes on. */
async function untilEnded(customer: Manilla, id: string): Promise<void> {
  for (let attempt = 0; attempt < endsWithin.attempts; attempt += 1) {
    if (ended.test((await customer.transactions.read(id)).status)) return;
    await sleep(endsWithin.everyMs);
  }
}

/** What is owed to payout partners by now, bought at the bank and paid. */
async function settlePartners(people: MonthPeople, key: string): Promise<void> {
  const { manager } = people;
  const { businessDate } = await manager.organisation.readBusinessClock();
  const { items: accounts } = await manager.ledger.listAccounts({ code: "partner_settlement" }).page();
  for (const { accountId, currency, balance } of accounts) {
    const minor = BigInt(balance.replace(".", ""));
    const costMinor = costMinorOf(minor, currency);
    if (minor <= 0n || costMinor === undefined) continue;
    const cost = `${costMinor / 100n}.${String(costMinor % 100n).padStart(2, "0")}`;
    const { settlement } = await manager.books.proposeSettlement(
      {
        kind: "PARTNER",
        accountId,
        amount: balance,
        currency: currency as Body<"proposeSettlement">["currency"],
        cost: { amount: decimal(cost), currency: "USD" },
        bankAccountId: bank,
        valueDate: businessDate,
        reference: `WIRE-${businessDate}-${currency}`,
      },
      { idempotencyKey: `${key}:settle:${accountId}` },
    );
    await approve(people, settlement.approvalId);
  }
}

async function post(people: MonthPeople, idempotencyKey: string, journal: Body<"writeJournal">): Promise<void> {
  const { approvalId } = await people.manager.books.writeJournal(journal, { idempotencyKey });
  await approve(people, approvalId);
}

async function approve({ other }: MonthPeople, approvalId: string | undefined): Promise<void> {
  if (approvalId === undefined) return;
  const { status, digest = "none" } = await other.approvals.read(approvalId);
  if (status !== "PENDING") return;
  await other.approvals.approve(approvalId, { reason: "As the statement of the bank says", digest });
}

const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;
