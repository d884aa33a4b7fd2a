import { systemClock } from "../../kernel/time/clock.js";
import type { Opened } from "../../kernel/startup/start-service.js";
import { startReleases, type ReleasesOptions } from "../../platform/plugins/releases.js";
import type { WalletConfig } from "../config.js";
import { startCreditReaders, type CreditReaderOptions } from "./credit-readers.js";
import { startWalletRelay, type WalletRelayDeps } from "./relay.js";

type Parts = WalletRelayDeps &
  Pick<CreditReaderOptions, "store" | "bank" | "banks"> &
  Pick<ReleasesOptions, "plugins"> & { credits: CreditReaderOptions["credits"] };

/** Starts what runs by itself, and stops it with the service; all of it by real time. */
export function startJobs(
  { config, log, started }: Opened<WalletConfig>,
  parts: Parts,
  { pollMs, releases }: { pollMs?: number | undefined; releases?: Partial<ReleasesOptions> | undefined },
) {
  const { store } = parts;
  const timed = { clock: systemClock, log };
  started(startWalletRelay({ ...parts, pollMs }));
  const everyMs = config.BANK_CREDITS_EVERY_S * 1_000;
  const readers = started(startCreditReaders({ ...parts, ...timed, everyMs, pollMs }));
  started(
    startReleases({
      ...parts,
      ...timed,
      kinds: ["BANK", "CARD"],
      async isUnderWayAt(tenantId, installationId) {
        const wallet = store.forTenant(tenantId);
        return (await wallet.isSendingAt(installationId)) || (await wallet.isChargingAt(installationId));
      },
      ...releases,
    }),
  );
  return { readers };
}
