import type { Clock } from "../../../kernel/time/clock.js";
import type { Logger } from "../../../kernel/process/log.js";
import type { Breakers } from "../../../platform/partners/breakers.js";
import type { MadeCall } from "../../../platform/partners/sender.js";
import type { CallLog } from "../../../platform/plugins/call-log.js";
import type { Installation } from "../../../platform/plugins/installations.js";
import { pluginTypeOf } from "../../../platform/plugins/types/index.js";
import type { PluginCheck } from "../../../platform/plugins/test-runs.js";
import type { BankReport } from "../../domain/bank-files.js";
import type { RemittanceStore } from "../../store/index.js";
import type { PayoutConnector } from "../payout-connector.js";
import { checkBank } from "./checks.js";
import { bankConfigurationOf } from "./configuration.js";
import { createFileConnector } from "./connector.js";
import { createBankFolders } from "./folders.js";
import { readInbox } from "./inbox.js";
import { createSchemaValidation } from "./schemas.js";

export interface FileBanksDeps {
  /** Where each installation has a folder; undefined where the operator has named none. */
  root: string | undefined;
  store: RemittanceStore;
  clock: Clock;
  timeZoneOf: (tenantId: string) => Promise<string>;
  log: Logger;
  notes: Pick<CallLog, "note">;
  /** How long a file has not been written to before it is taken for whole, ms. */
  restMs?: number | undefined;
}

export type FileBanks = ReturnType<typeof createFileBanks>;

/** Banks of tenants that take files. */
export function createFileBanks({ root, store, clock, timeZoneOf, log, notes, restMs }: FileBanksDeps) {
  const folders = createBankFolders(root);
  const validate = createSchemaValidation();

  function partsOf(tenantId: string, { installationId, configuration }: Installation, isOpen: () => boolean) {
    return {
      tenantId,
      installationId,
      configuration: bankConfigurationOf(configuration),
      store,
      folders: folders.of(installationId, store.forTenant(tenantId).bankFiles),
      validate,
      clock,
      timeZoneOf,
      log,
      onCall: (made: MadeCall) => notes.note(tenantId, installationId, made, isOpen),
    };
  }

  return {
    isOne: ({ type }: Pick<Installation, "type">): boolean => pluginTypeOf(type)?.connector === "payout-files",
    open(tenantId: string, installation: Installation, breakers: Breakers): PayoutConnector {
      const isOpen = () => breakers.isOpen(tenantId);
      return createFileConnector({ ...partsOf(tenantId, installation, isOpen), breakers });
    },
    /** Reads what it has laid ready for us; gives what it said anew. */
    readInbox(tenantId: string, installation: Installation, signal?: AbortSignal): Promise<BankReport[]> {
      const parts = partsOf(tenantId, installation, () => false);
      return readInbox({ ...parts, ...(restMs !== undefined && { restMs }) }, signal);
    },
    check: (tenantId: string, installation: Installation): Promise<PluginCheck[]> =>
      checkBank(partsOf(tenantId, installation, () => false)),
  };
}
