import { systemClock } from "../../../kernel/time/clock.js";
import { searchIndex, type ListIndex } from "../../lists/domain/matcher/index.js";
import { createScreeningEngine } from "./engine.js";
import { createJudge, type JudgeDeps } from "./judge.js";
import { createOffList } from "./off-list.js";
import { createRescreen, type RescreenDeps } from "./rescreen.js";
import { createScreeningRuns } from "./runs.js";

export interface ComparingDeps
  extends Omit<JudgeDeps, "cipher">, Pick<RescreenDeps, "lists" | "subjects" | "times" | "log"> {
  screeningCipher: JudgeDeps["cipher"];
  screeningPolicyVersions: RescreenDeps["policies"];
}

/** What compares people with the lists in memory, and keeps what was found. */
export function createComparing(deps: ComparingDeps) {
  const { lists, subjects, screeningCipher: cipher, screeningPolicyVersions: policies } = deps;
  const { snapshots } = lists;
  // Lists grow old by real time.
  const engine = createScreeningEngine<ListIndex>({ snapshots, search: searchIndex, clock: systemClock });
  const judge = createJudge({ ...deps, cipher });
  return {
    engine,
    judge,
    screening: createScreeningRuns({ engine, policies, subjects, cipher, judge, store: deps.store }),
    rescreen: createRescreen({
      ...deps,
      engine,
      policies,
      judge,
      noteOffList: createOffList({ ...deps, lists: lists.store, cipher }),
    }),
  };
}
