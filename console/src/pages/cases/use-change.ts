import { api } from "../../lib/api";
import { useAction } from "../../ui/use-action";
import type { Case, CaseChange } from "./types";

/**
 * Changes a case onto the version that is shown; where somebody was faster the fresh one is read.
 */
export function useChange({ caseId, version }: Case, done: string, onDone?: () => void) {
  return useAction({
    operation: "changeCase",
    run: (change: CaseChange, options) => api.compliance.changeCase(caseId, { ...change, version }, options),
    stales: ["cases"],
    done,
    ...(onDone && { onDone }),
  });
}
