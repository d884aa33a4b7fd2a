import type { PluginServiceDefinition } from "../../../proto/gen/identity/v1/plugins.js";
import type { Client } from "../../kernel/grpc/client.js";
import type { Logger } from "../../kernel/process/log.js";
import type { AllowedOrigins } from "../partners/address.js";
import type { Resolve } from "../partners/addresses.js";
import { startCallLog, type CallLogDeps } from "../plugins/call-log.js";
import { createInstallations, type Installation } from "../plugins/installations.js";
import { channels } from "./kinds.js";
import { createInstalledMessages } from "./installed.js";
import { createSmsSender } from "./sms-sender.js";
import { createSmtpSender } from "./smtp-sender.js";

/** Where a service knows from what is installed, and whom it tells of calls. */
export interface InstalledSource {
  installationsOf: (tenantId: string) => Promise<readonly Installation[]>;
  identity: CallLogDeps["identity"];
}

export interface OpenInstalledDeps extends InstalledSource {
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
  const notes = startCallLog(deps);
  onClose(() => notes.stop());
  return { smtp, sms, messages: createInstalledMessages({ ...deps, notes, smtp, sms }) };
}

/** For services that ask identity. */
export function askingIdentity(
  identity: Pick<Client<PluginServiceDefinition>, "resolvePlugins" | "notePluginCalls">,
): InstalledSource {
  const installations = createInstallations({ identity, kinds: channels });
  // A random interaction is as good as the row's: what is asked is shared by many.
  return { identity, installationsOf: (tenantId) => installations.of({ tenantId, interactionId: "" }) };
}

/** Of PLUGIN_SANDBOX_ORIGINS: live tenants' partners are never there. */
export function sandboxOrigins(text: string | undefined, isSandbox: (tenantId: string) => boolean) {
  const origins = text === undefined ? [] : text.split(",");
  return (tenantId: string): AllowedOrigins => (isSandbox(tenantId) ? origins : []);
}
