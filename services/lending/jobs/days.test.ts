import { silentLog } from "../../../test/support/index.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import { createDays } from "./days.js";

const today = Temporal.PlainDate.from("2026-11-21");

/** Days of three tenants, the last of which has had today; what their thread was asked for. */
function office(given: { runDay?: (tenantId: string) => Promise<boolean>; clock?: () => Promise<void> } = {}) {
  const { runDay = async () => true, clock = async () => undefined } = given;
  const requested: string[] = [];
  let [started, stopped] = [0, 0];
  const businessClock = { forTenant: async () => (await clock(), { today: () => today }) } as unknown as BusinessClock;
  const days = createDays({
    store: {
      listTenants: async () => [
        { tenantId: "a", accruedThrough: "2026-11-20" },
        { tenantId: "b" },
        { tenantId: "c", accruedThrough: "2026-11-21" },
      ],
    } as never,
    businessClock,
    log: silentLog,
    start: () => {
      started += 1;
      return {
        runDay(tenantId, date) {
          requested.push(`${tenantId} ${date}`);
          return runDay(tenantId);
        },
        stop: async () => void (stopped += 1),
      };
    },
  });
  return { days, requested, threads: () => ({ started, stopped }) };
}

test("one thread works on all days that have changed, and is there no longer than that", async () => {
  const { days, requested, threads } = office();
  await days.runAll();
  expect(requested).toEqual(["a 2026-11-21", "b 2026-11-21"]);
  expect(threads()).toEqual({ started: 1, stopped: 1 });
});

test("a tenant whose day cannot go on keeps no other from theirs", async () => {
  const { days, requested, threads } = office({
    runDay: async (tenantId) => tenantId !== "a" || Promise.reject(new Error("no")),
  });
  await days.runAll();
  expect(requested).toHaveLength(2);
  expect(threads()).toEqual({ started: 1, stopped: 1 });
});

test("where no day has changed there is no thread", async () => {
  const { days, threads } = office({ clock: () => Promise.reject(new Error("identity is away")) });
  await days.runAll();
  expect(threads()).toEqual({ started: 0, stopped: 0 });
});

test("once it is stopped no day is begun, whatever was on its way", async () => {
  const clock = Promise.withResolvers<void>();
  const { days, requested, threads } = office({ clock: () => clock.promise });
  const running = days.runAll();
  await days.stop();
  clock.resolve();
  await running;
  await days.runAll();
  expect(requested).toEqual([]);
  expect(threads().started).toBe(0);
});

test("stopped while a day is under way, it goes on to no other", async () => {
  const day = Promise.withResolvers<boolean>();
  const { days, requested } = office({ runDay: () => day.promise });
  const running = days.runAll();
  await new Promise((resolve) => setImmediate(resolve));
  const stopping = days.stop();
  day.resolve(false);
  await Promise.all([running, stopping]);
  expect(requested).toEqual(["a 2026-11-21"]);
});
