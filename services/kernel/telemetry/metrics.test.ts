import { createMetrics } from "./metrics.js";

test("shows the lateness of every outbox of the process, and nothing of one that cannot be looked at", async () => {
  const metrics = createMetrics();
  const lines = async () => (await metrics.text()).body.split("\n").filter((line) => line.startsWith("manilla_outbox"));
  expect(await lines()).toEqual([]);
  const end = metrics.watchOutbox(async () => ({ oldestDueS: 2.5, parked: 1 }));
  metrics.watchOutbox(async () => ({ oldestDueS: 7, parked: 2 }));
  expect(await lines()).toEqual(["manilla_outbox_oldest_due_seconds 7", "manilla_outbox_parked_rows 3"]);
  const endBroken = metrics.watchOutbox(async () => {
    throw new Error("MongoDB is away");
  });
  expect(await lines()).toEqual([]);
  endBroken();
  end();
  expect(await lines()).toEqual(["manilla_outbox_oldest_due_seconds 7", "manilla_outbox_parked_rows 2"]);
});

test("shows how many days the accrual is behind, as it is at each scrape, and nothing where there is none", async () => {
  const metrics = createMetrics();
  const lines = async () =>
    (await metrics.text()).body.split("\n").filter((line) => line.startsWith("manilla_accrual"));
  expect(await lines()).toEqual([]);
  let days = 3;
  const end = metrics.watchAccrual(async () => days);
  expect(await lines()).toEqual(["manilla_accrual_days_behind 3"]);
  days = 0;
  expect(await lines()).toEqual(["manilla_accrual_days_behind 0"]);
  end();
  expect(await lines()).toEqual([]);
});
