import { openMasterKey } from "../../kernel/keys/config.js";
import { awaitMasterKey, createWrappedKeys } from "../../kernel/keys/wrapped-keys.js";
import type { Opened } from "../../kernel/startup/start-service.js";
import { processMetrics } from "../../kernel/telemetry/metrics.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { IdentityConfig } from "../config.js";
import { createAcrossTenantsStore } from "../store/across-tenants.js";
import { createIdentityStore } from "../store/index.js";
import { keepDatabaseLife } from "./database-life.js";
import { openKeyring } from "./keyring.js";
import { createRevocationMirror } from "./revocation-mirror.js";
import { createRevocations } from "./revocations.js";
import { createFieldCipher } from "./sealing.js";
import { createThrottle } from "./throttle.js";

/** The store, the keys that seal and sign, and what is revoked. Waits for the master key. */
export async function openCredentials(
  { name, config, db, redis, log, started, onClose }: Opened<IdentityConfig>,
  clock: Clock,
) {
  const wrapper = await openMasterKey(config, log);
  const wrapped = createWrappedKeys({ db, collection: "keys", service: name, wrapper });
  onClose(processMetrics.watchWrappedKeys(wrapped.countBehind));
  started(await keepDatabaseLife({ db, redis, log }));
  const across = createAcrossTenantsStore(db, wrapped);
  const openKeys = () => openKeyring({ store: across, wrapper, clock, log });
  const keyring = started(await awaitMasterKey(openKeys, config.BOOT_WAIT_S, log));
  const mirror = started(createRevocationMirror({ store: across, redis, clock, log }));
  mirror.start();
  const cipher = createFieldCipher(keyring);
  const store = createIdentityStore(db, across, cipher);
  return {
    wrapped,
    keyring,
    cipher,
    store,
    revocations: createRevocations({ db, store, mirror, clock }),
    throttle: createThrottle({ redis, clock }),
  };
}
