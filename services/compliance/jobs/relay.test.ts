import { stillDue, triedOnceMore } from "../../../test/support/event-patience.js";
import { startComplianceRelay, type RelayDeps } from "./relay.js";

test("an event waits for events however long that is away", async () => {
  // Handlers of other rows touch what they are given when such a row comes.
  const others = { checks: {}, cases: {}, store: {}, screenings: {}, subjects: {} } as unknown as RelayDeps;
  const start = (deps: object) =>
    startComplianceRelay({ ...others, remittance: undefined, events: undefined, ...deps });
  expect(await triedOnceMore("compliance", start)).toEqual(stillDue);
});
