import { stillDue, triedOnceMore } from "../../../test/support/event-patience.js";
import { startIdentityRelay } from "./relay.js";

test("an event waits for events however long that is away", async () => {
  // Handlers of other rows touch what they are given when such a row comes.
  const others = { store: {}, neighbours: {} } as unknown as Parameters<typeof startIdentityRelay>[0];
  expect(await triedOnceMore("identity", (deps) => startIdentityRelay({ ...others, ...deps }))).toEqual(stillDue);
});
