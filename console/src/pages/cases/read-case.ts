import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/api";
import { pollMs, read } from "../../lib/queries";
import type { Case } from "./types";

/** A case with its whole timeline, which the API gives 500 entries at a time. */
export function useCase(caseId: string) {
  return useQuery({
    ...read("cases", "readCase", { caseId }, async (options): Promise<Case> => {
      const found: Case = await api.compliance.readCase(caseId, {}, options);
      const timeline = [...found.timeline];
      for (let last = timeline.at(-1)?.sequence ?? 0; last < found.version;) {
        const further = await api.compliance.readCase(caseId, { afterSequence: String(last) }, options);
        if (further.timeline.length === 0) break;
        timeline.push(...further.timeline);
        last = timeline.at(-1)?.sequence ?? last;
      }
      return { ...found, timeline };
    }),
    // Nobody but officers may know that a case has changed: no event tells.
    refetchInterval: pollMs,
  });
}
