import { stillDue, triedOnceMore } from "../../../test/support/event-patience.js";
import { startInvestmentRelay, type InvestmentRelayDeps } from "./relay.js";

test("an event waits for events however long that is away", async () => {
  // Handlers of other rows touch what they are given when such a row comes.
  const others = { applications: {}, applicationsWaiting: {}, settlements: {}, dividends: {} };
  const start = (deps: object) =>
    startInvestmentRelay({ ...(others as unknown as InvestmentRelayDeps), events: undefined, ...deps });
  expect(await triedOnceMore("investment", start)).toEqual(stillDue);
});
