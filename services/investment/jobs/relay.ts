import type { PublisherDeps } from "../../platform/events/publisher.js";
import { startServiceRelays } from "../../platform/events/relays.js";
import type { Outbox, Relay, RowHandler } from "../../kernel/outbox/index.js";
import type { DriveContext } from "../../kernel/sagas/index.js";
import { createAccrualPosting } from "./accrual-posting.js";
import type { Accrual } from "./accrual.js";
import type { ApplicationSaga } from "../sagas/application.js";
import type { createDividends } from "./dividends.js";
import type { Posting } from "../clients/posting.js";
import type { ApplicationsWaiting } from "./awaiting-compliance.js";
import type { SettlementSaga } from "../sagas/settlement.js";
import { rowKinds } from "../row-kinds.js";

export interface InvestmentRelayDeps {
  outbox: Outbox;
  applications: ApplicationSaga;
  applicationsWaiting: ApplicationsWaiting;
  settlements: SettlementSaga;
  accrual: Accrual;
  dividends: ReturnType<typeof createDividends>;
  posting: Posting;
  /** Undefined where nobody said where it is. */
  events: PublisherDeps["events"];
  crashPoint: (name: string) => void;
  pollMs?: number | undefined;
}

/** Drives on what was cut off, pays what is due, and posts what was earned. */
export function startInvestmentRelay(deps: InvestmentRelayDeps): Relay {
  const {
    outbox,
    applications,
    applicationsWaiting,
    settlements,
    accrual,
    dividends,
    posting,
    events,
    crashPoint,
    pollMs,
  } = deps;
  type Drive = (tenantId: string, id: string, context: DriveContext) => Promise<unknown>;
  const recovers =
    (drive: Drive, idOf: (payload: Record<string, unknown>) => unknown): RowHandler =>
    async ({ tenantId, payload }, { complete }) => {
      await drive(tenantId, String(idOf(payload)), { closeRecovery: complete });
    };
  const catchUp: RowHandler = async ({ tenantId, payload }) => {
    await accrual.catchUp(tenantId, String(payload["holdingId"]));
  };
  const handlers: Record<string, RowHandler> = {
    [rowKinds.driveApplication]: recovers(applications.driveById, ({ applicationId }) => applicationId),
    [rowKinds.awaitCompliance]: applicationsWaiting.recheck,
    [rowKinds.releaseCompliance]: applicationsWaiting.release,
    [rowKinds.driveSettlement]: recovers(settlements.driveById, ({ settlementId }) => settlementId),
    [rowKinds.catchUpHolding]: catchUp,
    async [rowKinds.resumeHolding]({ tenantId, payload }) {
      await accrual.resume(tenantId, String(payload["holdingId"]));
    },
    [rowKinds.postAccrual]: createAccrualPosting({ posting, crashPoint }),
    [rowKinds.shareOutDividend]: dividends.shareOut,
    [rowKinds.taxDividend]: dividends.tax,
    [rowKinds.payDividend]: dividends.pay,
    [rowKinds.payShare]: dividends.payOne,
  };
  return startServiceRelays({
    outbox,
    events,
    handlers,
    concurrency: 32,
    pollMs,
  });
}
