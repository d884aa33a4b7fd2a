import { rowKindsOf } from "../kernel/outbox/index.js";

/** Kinds of identity's outbox rows, as they are stored. */
export const rowKinds = rowKindsOf({
  endSessions: "sessions.end",
  passwordReset: "password-reset.send",
  passwordChanged: "password-changed.tell",
  paymentCode: "payment-code.send",
  apiToken: "api-token.tell",
  changeCode: "change-code.send",
  contactCode: "contact-code.send",
  registration: "registration.send",
  notice: "notice.send",
  forgetFormer: "plugin.forget-former",
  factorReset: "factors.reset",
  personChange: "person-change.tell",
  approvalExpires: "approval.expire",
  approvalOutcome: "approval.tell",
  erasePerson: "erasure.tell",
});
