import type { Logger } from "../../kernel/process/log.js";
import type { AllowedOrigins } from "../partners/address.js";
import type { Resolve } from "../partners/addresses.js";
import type { CallLog } from "../plugins/call-log.js";
import { createInstalledMessages, type InstalledMessagesDeps } from "./installed.js";
import { createSmsSender } from "./sms-sender.js";
import { createSmtpSender } from "./smtp-sender.js";

export interface OpenInstalledDeps extends Pick<InstalledMessagesDeps, "openPartners"> {
  notes: Pick<CallLog, "note">;
  resolve: Resolve;
  allowedOf(tenantId: string): AllowedOrigins;
  log: Logger;
  onClose(step: () => unknown): void;
  /** What mail servers are trusted by, beside the usual authorities. Of tests alone. */
  ca?: string | undefined;
}

/** Messages by tenants' own mail servers and text message services. */
export function openInstalledMessages({ ca, onClose, ...deps }: OpenInstalledDeps) {
  const smtp = createSmtpSender({ ...deps, ...(ca !== undefined && { ca }) });
  onClose(() => smtp.close());
  const sms = createSmsSender(deps);
  onClose(() => sms.close());
  return { smtp, sms, messages: createInstalledMessages({ ...deps, smtp, sms }) };
}
