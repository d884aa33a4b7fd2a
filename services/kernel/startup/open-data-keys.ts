import { openMasterKey, type MasterKeyConfig } from "../keys/config.js";
import { createDataKeys, type DataKeys } from "../keys/data-keys.js";
import type { KeyWrapper } from "../keys/key-wrapper.js";
import { awaitMasterKey } from "../keys/wrapped-keys.js";
import { processMetrics } from "../telemetry/metrics.js";
import type { Opened, ServiceConfig } from "./start-service.js";

/**
 * The keys that a service seals its own fields with, all opened. Waits for the master key's
 * service; `given` stands in for the config's.
 */
export async function openDataKeys(
  {
    name,
    config,
    db,
    log,
    onClose,
  }: Pick<Opened<ServiceConfig & MasterKeyConfig>, "name" | "config" | "db" | "log" | "onClose">,
  purpose: string,
  given?: KeyWrapper,
): Promise<DataKeys> {
  const wrapper = given ?? (await openMasterKey(config, log));
  const dataKeys = createDataKeys({ db, wrapper, service: name, purpose });
  await awaitMasterKey(dataKeys.openAll, config.BOOT_WAIT_S, log);
  onClose(processMetrics.watchWrappedKeys(dataKeys.wrapped.countBehind));
  return dataKeys;
}
