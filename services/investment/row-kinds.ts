import { rowKindsOf } from "../kernel/outbox/index.js";

/** Kinds of investment's outbox rows, as they are stored. */
export const rowKinds = rowKindsOf({
  shareOutDividend: "share-out-dividend",
  taxDividend: "tax-dividend",
  payDividend: "pay-dividend",
  payShare: "pay-share",
  /** Has compliance release the reservation of an application that ended without a purchase. */
  releaseCompliance: "release-compliance",
  /** Counts a holding apart that a day has set aside. */
  resumeHolding: "resume-holding",
  /** Posts what a batch of holdings earned: one amount per currency. */
  postAccrual: "post-accrual",
  driveSettlement: "drive-settlement",
  /** A holding that lags behind after what was due on it: counted and paid on to today. */
  catchUpHolding: "catch-up-holding",
  driveApplication: "drive-application",
  /** An application that compliance has not decided on: asked about until it is. */
  awaitCompliance: "await-compliance",
});
