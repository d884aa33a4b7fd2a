import { randomUUID } from "node:crypto";
import { PartnerServiceDefinition } from "../../../proto/gen/ledger/v1/partners.js";
import {
  createLedgerFixture,
  tenantCalls,
  transfer,
  type LedgerReplica,
} from "../../../test/support/ledger-fixture.js";
import { waitFor } from "../../../test/support/index.js";
import { createStandInEvents, type StandInEvents } from "../../../test/support/stand-in-events.js";
import { outlast } from "../../../test/support/time.js";

let fixture: Awaited<ReturnType<typeof createLedgerFixture>>;
let events: StandInEvents;

beforeAll(async () => {
  fixture = await createLedgerFixture("ledger_alarms");
  events = await createStandInEvents(fixture.network);
});
afterAll(() => fixture.close());
beforeEach(() => void Object.assign(events.state, { isAway: false, published: [] }));

const lookMs = 50;
const start = (env: Record<string, string> = {}) =>
  fixture.start({ EVENTS_ADDRESS: events.address, ALARM_LOOK_MS: String(lookMs), ...env }, { pollMs: 50 });
/** Looks so rarely that it is over before the first one. */
const startBlind = () => start({ ALARM_LOOK_MS: "3600000" });

const partner = "partner_settlement:operator:USD";
const clearing = "remittance_clearing:USD";

/** A tenant whose partner has been paid 100.00 ahead, with an alarm below 50.00. */
async function alarmed(ledger: LedgerReplica) {
  const tenant = tenantCalls();
  const { call, tenantId } = tenant;
  const manager = () => call({ user: { tenantId, role: "MANAGER", userId: "manager-1" } });
  const client = (of: LedgerReplica) => fixture.network.client(PartnerServiceDefinition, "ledger", of.port, "gateway");
  const accounts = [partner, clearing].map((accountId) => {
    return { accountId, code: accountId.split(":")[0]!, currency: "USD", name: accountId };
  });
  await ledger.remittance.createAccounts({ accounts }, call());
  const post = async (debit: string, credit: string, minor: bigint, by = ledger) => {
    const transfers = [transfer(randomUUID(), debit, credit, minor)];
    const { results } = await by.remittance.postTransfers({ groups: [{ transfers }], createdBy: "remittance" }, call());
    if (results[0]?.posted === undefined) throw new Error("not posted");
  };
  const put = (below: string) =>
    client(ledger).putPartnerAlarm({ idempotencyKey: randomUUID(), accountId: partner, below }, manager());
  const told = () =>
    events
      .of(partner)
      .filter((one) => one.tenantId === tenantId)
      .map(({ type, dataJson }) => [type, (JSON.parse(dataJson) as { available: string }).available]);
  await post(partner, clearing, 100_00n);
  await put("50");
  return {
    ...tenant,
    told,
    put,
    payOut: (minor: bigint, by?: LedgerReplica) => post(clearing, partner, minor, by),
    fund: (minor: bigint) => post(partner, clearing, minor),
    whenTold: (count: number) => waitFor(() => (told().length >= count ? told() : undefined), { timeoutMs: 20_000 }),
  };
}

const low = (available: string) => ["partner.balance_low", available];
const restored = (available: string) => ["partner.balance_restored", available];

test("falling below the alarm and rising again are told once each, whatever is paid between, of two replicas", async () => {
  const [ledger, other] = [await start(), await start()];
  const tenant = await alarmed(ledger);
  await tenant.payOut(50_00n);
  await outlast(5 * lookMs);
  expect(tenant.told()).toEqual([]);
  await tenant.payOut(1n, other);
  expect(await tenant.whenTold(1)).toEqual([low("49.99")]);
  await tenant.payOut(60_00n);
  await outlast(5 * lookMs);
  await tenant.fund(100_00n);
  expect(await tenant.whenTold(2)).toEqual([low("49.99"), restored("89.99")]);
  await tenant.payOut(80_00n);
  expect(await tenant.whenTold(3)).toEqual([low("49.99"), restored("89.99"), low("9.99")]);
  const [first] = events.of(partner);
  expect(first).toMatchObject({ subjectType: "partner", isConfidential: false });
  expect(JSON.parse(first!.dataJson)).toMatchObject({ accountId: partner, below: "50.00", currency: "USD" });
  await ledger.stop();
  await other.stop();
});

test("another value tells where it turns, and none where the alarm is ended", async () => {
  const ledger = await start();
  const tenant = await alarmed(ledger);
  await tenant.put("100.01");
  expect(await tenant.whenTold(1)).toEqual([low("100.00")]);
  await tenant.put("100.02");
  await outlast(5 * lookMs);
  await tenant.put("-20");
  expect(await tenant.whenTold(2)).toEqual([low("100.00"), restored("100.00")]);
  await tenant.put("");
  await tenant.payOut(200_00n);
  await outlast(5 * lookMs);
  expect(tenant.told()).toHaveLength(2);
  await ledger.stop();
});

test("what a process did not live to look at, the next one tells, once, also where events were away", async () => {
  const blind = await startBlind();
  const tenant = await alarmed(blind);
  await tenant.payOut(70_00n);
  await blind.stop();
  expect(tenant.told()).toEqual([]);
  events.state.isAway = true;
  const next = await start();
  await waitFor(() => events.state.requested.some(({ tenantId }) => tenantId === tenant.tenantId), {
    timeoutMs: 20_000,
  });
  await next.stop();
  events.state.isAway = false;
  const last = await start();
  expect(await tenant.whenTold(1)).toEqual([low("30.00")]);
  await outlast(5 * lookMs);
  expect(tenant.told()).toHaveLength(1);
  await last.stop();
});
