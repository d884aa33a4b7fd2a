import type { ScreeningPolicy } from "../../screening/domain/policy.js";
import type { LoadDeps } from "../loading/load-list.js";
import type { ScreeningListStore } from "../store/screening-lists.js";
import type { ComplianceDeps } from "../../common/handlers/deps.js";

/** What the rpcs of lists work with. */
export type ScreeningListDeps = Pick<ComplianceDeps, "store" | "clock"> & {
  screeningPolicyVersions: { current(tenantId: string): Promise<Pick<ScreeningPolicy, "lists">> };
  lists: { store: ScreeningListStore; wake(): Promise<void>; onSwap?: LoadDeps["onSwap"] };
};
