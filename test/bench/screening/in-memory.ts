import { randomBytes } from "node:crypto";
import type { Connection } from "mongoose";
import { createDataKeys } from "../../../services/kernel/keys/data-keys.js";
import { createLocalKey } from "../../../services/kernel/keys/file-keys.js";
import type { NamedParty } from "../../../services/compliance/screening/domain/screening-targets.js";
import {
  createIndexBuilder,
  searchIndex,
  shippedThreshold,
  type ListIndex,
} from "../../../services/compliance/lists/domain/matcher/index.js";
import { createScreeningEngine } from "../../../services/compliance/screening/engine/engine.js";
import { createPutHold } from "../../../services/compliance/decisions/checks/put-hold.js";
import { createJudge } from "../../../services/compliance/screening/engine/judge.js";
import { createScreeningRuns, type ScreeningRuns } from "../../../services/compliance/screening/engine/runs.js";
import { createScreeningCipher } from "../../../services/compliance/screening/store/screening-cipher.js";
import { createExemptionStore } from "../../../services/compliance/screening/store/screening-exemptions.js";
import { createScreeningPolicyStore } from "../../../services/compliance/screening/store/screening-policies.js";
import { createScreeningPolicyVersions } from "../../../services/compliance/screening/store/screening-policy-versions.js";
import { createScreeningSubjectStore } from "../../../services/compliance/screening/store/screening-subjects.js";
import { createScreeningStore } from "../../../services/compliance/screening/store/screenings.js";
import { madeUpEntry, madeUpPerson } from "./made-up.js";
import type { ComplianceStore } from "../../../services/compliance/decisions/store/index.js";
import { systemClock } from "../../../services/kernel/time/clock.js";
import type { Logger } from "../../../services/kernel/process/log.js";
import { createOutbox } from "../../../services/kernel/outbox/index.js";

/** As many as the published lists have together. */
export const listedNames = 46_000;

// One for all that a run opens: they may share a database.
const masterKey = randomBytes(32);

/**
 * What compares people with lists, as the service has it; the lists
 * are in memory as they are there.
 */
export function openInMemory({
  db,
  store,
  log,
}: {
  db: Connection;
  store: ComplianceStore;
  log: Logger;
}): ScreeningRuns {
  const outbox = createOutbox({ db, clock: systemClock, log, service: "compliance" });
  const dataKeys = createDataKeys({
    db,
    wrapper: createLocalKey(masterKey),
    service: "compliance",
    purpose: "screening",
  });
  const cipher = createScreeningCipher(db, dataKeys);
  const policies = createScreeningPolicyVersions(createScreeningPolicyStore(db, { threshold: shippedThreshold }));
  const subjects = createScreeningSubjectStore(db, cipher);
  const screenings = createScreeningStore(db, cipher);
  const exemptions = createExemptionStore(db, cipher);
  const builder = createIndexBuilder();
  for (let each = 0; each < listedNames; each++) builder.add(madeUpEntry(each));
  const index = builder.finish();
  const now = new Date();
  const lists = ["OFAC_SDN", "EU", "UN", "UK"] as const;
  const empty = createIndexBuilder().finish();
  const inMemory = lists.map((source, at) => ({
    source,
    listId: `bench-${source}`,
    version: 1,
    publishedAt: now,
    lastSeenAt: now,
    index: at === 0 ? index : empty,
  }));
  const engine = createScreeningEngine<ListIndex>({
    snapshots: { snapshotOf: () => ({ lists: inMemory }) },
    search: searchIndex,
    clock: systemClock,
  });
  const judge = createJudge({
    store,
    subjects,
    screenings,
    exemptions,
    cipher,
    outbox,
    putHold: createPutHold({ store, outbox }),
  });
  return createScreeningRuns({ engine, policies, subjects, cipher, judge, store });
}

/** Nobody is compared: what a check cost before there was screening. */
export function nobodyScreened(): ScreeningRuns {
  return {
    runQuestions: async (_tenant, questions) => ({
      runs: questions.map(() => ({ state: "DONE", basis: "", parties: ["SENDER", "RECIPIENT"], named: [] })),
      notes: { write: async () => undefined, keep: () => undefined },
    }),
    sealParties: async () => ({ keyId: "", sealed: "" }),
    runAgain: async () => ({ state: "DONE", basis: "", parties: [] }),
    noteSubject: async () => undefined,
  };
}

/** Who sends and who is paid. */
export function partiesOf(client: number, recipient: number): NamedParty[] {
  const about = { kind: "PERSON", countries: ["USA"], documents: [] } as const;
  return [
    { role: "SENDER", party: { ...about, names: [madeUpPerson(client)], dateOfBirth: "1980-01-01" } },
    { role: "RECIPIENT", party: { ...about, names: [madeUpPerson(1_000_000 + recipient)] } },
  ];
}
