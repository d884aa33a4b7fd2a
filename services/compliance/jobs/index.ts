import type { Opened } from "../../kernel/startup/start-service.js";
import { systemClock } from "../../kernel/time/clock.js";
import { createSecurityMessages } from "../../platform/messages/written.js";
import type { ComplianceConfig } from "../config.js";
import type { connectNeighbours } from "../clients/neighbours.js";
import type { openCompliancePartners } from "../clients/open-partners.js";
import { startListPlugins, type ListPluginDeps } from "../lists/jobs/list-plugins.js";
import { startScreeningSweep, type SweepDeps } from "../screening/jobs/screening-sweep.js";
import type { ScreeningPolicyVersions } from "../screening/store/screening-policy-versions.js";
import { startComplianceRelay, type RelayDeps } from "./relay.js";

type Parts = Omit<RelayDeps, "words"> &
  Omit<SweepDeps, "policies" | "clock" | "log"> &
  Pick<ListPluginDeps, "lists"> &
  Pick<ReturnType<typeof connectNeighbours>, "templates"> &
  Pick<ReturnType<typeof openCompliancePartners>, "listPlugins" | "installations" | "published"> & {
    screeningPolicyVersions: ScreeningPolicyVersions;
  };

/** Starts the relay, what fetches tenants' lists, and what compares people again. */
export function startJobs({ log, started }: Opened<ComplianceConfig>, parts: Parts): void {
  const timed = { clock: systemClock, log };
  started(startListPlugins({ ...parts, ...timed, plugins: parts.listPlugins }));
  started(startComplianceRelay({ ...parts, words: createSecurityMessages(parts) }));
  started(startScreeningSweep({ ...parts, ...timed, policies: parts.screeningPolicyVersions }));
}
