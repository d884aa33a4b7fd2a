import type { PublisherDeps } from "../../platform/events/publisher.js";
import { startServiceRelays } from "../../platform/events/relays.js";
import type { Outbox, Relay, RowHandler } from "../../kernel/outbox/index.js";
import type { DriveContext } from "../../kernel/sagas/index.js";
import { createAccrualPosting, postAccrual } from "./accrual-posting.js";
import { resumeHolding, type Accrual } from "./accrual.js";
import { awaitCompliance, driveApplication } from "../sagas/application-identity.js";
import type { ApplicationSaga } from "../sagas/application.js";
import { payDividend, payShare, shareOutDividend, taxDividend, type createDividends } from "./dividends.js";
import type { Posting } from "../clients/posting.js";
import { releaseCompliance, type ApplicationsWaiting } from "./awaiting-compliance.js";
import { catchUpHolding, driveSettlement, type SettlementSaga } from "../sagas/settlement.js";

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
    [driveApplication]: recovers(applications.driveById, ({ applicationId }) => applicationId),
    [awaitCompliance]: applicationsWaiting.recheck,
    [releaseCompliance]: applicationsWaiting.release,
    [driveSettlement]: recovers(settlements.driveById, ({ settlementId }) => settlementId),
    [catchUpHolding]: catchUp,
    async [resumeHolding]({ tenantId, payload }) {
      await accrual.resume(tenantId, String(payload["holdingId"]));
    },
    [postAccrual]: createAccrualPosting({ posting, crashPoint }),
    [shareOutDividend]: dividends.shareOut,
    [taxDividend]: dividends.tax,
    [payDividend]: dividends.pay,
    [payShare]: dividends.payOne,
  };
  return startServiceRelays({
    outbox,
    events,
    handlers,
    concurrency: 32,
    pollMs,
  });
}
