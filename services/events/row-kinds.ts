import { rowKindsOf } from "../kernel/outbox/index.js";

/** Kinds of outbox rows. */
export const rowKinds = rowKindsOf({
  /** Tells managers that an endpoint was disabled. */
  tellManagers: "webhook.tell-managers",
  /** Deletes what was on its way to an endpoint that was removed. */
  cleanUp: "webhook.clean-up",
  /** Sends again what an endpoint missed. */
  recover: "webhook.recover",
  /** Tells a customer what became of something of theirs. */
  tellCustomer: "message.tell-customer",
  /** Sends a manager an example of a template. */
  sendTemplateTest: "message.send-template-test",
});
