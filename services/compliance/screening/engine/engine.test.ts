import { madeEntry } from "../../../../test/support/made-list.js";
import { systemClock } from "../../../kernel/time/clock.js";
import { createIndexBuilder, searchIndex, shippedThreshold, type ListIndex } from "../../lists/domain/matcher/index.js";
import { platformPolicy } from "../domain/policy.js";
import { createScreeningEngine, maxMatches } from "./engine.js";
import type { ListInMemory } from "../../lists/loading/snapshots.js";

test("of somebody who is judged every entry is found, however many they resemble; a search shows the best", () => {
  const many = 450;
  const builder = createIndexBuilder();
  for (let at = 0; at < many; at += 1) {
    builder.add(madeEntry({ entryId: `E${at}`, names: ["Farid Belkacemi", "Farid Abdel Belkacemi"] }));
  }
  const list = { source: "UN", listId: "l", version: 1, lastSeenAt: new Date(), index: builder.finish() };
  const snapshots = { snapshotOf: () => ({ lists: [list as unknown as ListInMemory<ListIndex>] }) };
  const engine = createScreeningEngine<ListIndex>({ snapshots, search: searchIndex, clock: systemClock });
  const policy = { ...platformPolicy(shippedThreshold), lists: ["UN"] as const };
  const party = { kind: "PERSON", names: ["Farid Belkacemi"], countries: [], documents: [] } as const;
  const { matches } = engine.screen("t", policy, party);
  expect(new Set(matches.map(({ entry }) => entry.entryId)).size).toBe(many);
  expect(engine.screenBy("t", policy, party).matches).toHaveLength(maxMatches);
});
