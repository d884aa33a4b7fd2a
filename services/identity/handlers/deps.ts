import type { Connection } from "mongoose";
import type { Ceilings } from "../../kernel/limits/amount-ceiling.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { Idempotency, RunOnce } from "../../kernel/idempotency/index.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import type { MoneyClients } from "../clients/neighbours.js";
import type { Keyring } from "../credentials/keyring.js";
import type { KnownPlaces } from "../credentials/known-places.js";
import type { LoginCheck } from "../credentials/login-check.js";
import type { PasswordChecks } from "../credentials/password-checks.js";
import type { PasswordHasher } from "../credentials/passwords.js";
import type { RefreshTokenRotation } from "../credentials/refresh-token-rotation.js";
import type { Revocations } from "../credentials/revocations.js";
import type { FieldCipher } from "../credentials/sealing.js";
import type { Sessions } from "../credentials/sessions.js";
import type { Throttle } from "../credentials/throttle.js";
import type { ContactChanges } from "../factors/contact-changes.js";
import type { SecondFactors } from "../factors/second-factors.js";
import type { SentCodes } from "../factors/sent-codes.js";
import type { StepUp } from "../factors/step-up.js";
import type { Foresee } from "../jobs/foresee.js";
import type { IdentityStore } from "../store/index.js";

/** What identity's handlers need, each of them a part of it. */
export interface HandlerDeps {
  db: Connection;
  store: IdentityStore;
  outbox: Outbox;
  idempotency: Idempotency;
  runOnce: RunOnce;
  clock: Clock;
  ceilings: Ceilings;
  /** Ends when no service goes by an earlier preference any more. */
  untilKnown: () => Promise<void>;
  factorResetWaitMs: number;
  foresee: Foresee;
  /** Which services are asked before somebody is erased. */
  money: MoneyClients;

  keyring: Keyring;
  cipher: FieldCipher;
  hasher: PasswordHasher;
  throttle: Throttle;
  revocations: Revocations;
  sessions: Sessions;
  refreshTokens: RefreshTokenRotation;
  knownPlaces: KnownPlaces;
  loginCheck: LoginCheck;
  checks: PasswordChecks;

  factors: SecondFactors;
  stepUp: StepUp;
  sentCodes: SentCodes;
  contactChanges: ContactChanges;
}
