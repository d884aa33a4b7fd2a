import type { Notification } from "./notifications.js";

type Content = Pick<Notification, "subject" | "text">;

/** The mail of a password reset. */
export function passwordResetMessage(tenantName: string, token: string): Content {
  return {
    subject: `${tenantName}: set a new password`,
    text:
      `Somebody asked to set a new password for your account at ${tenantName}.\n\n` +
      `Your reset token: ${token}\n\nIt can be used once, within 30 minutes. If it was not you, ignore this message.`,
  };
}

/** Told after the fact, so that whoever did not do it learns of it. */
export function passwordChangedMessage(tenantName: string): Content {
  return {
    subject: `${tenantName}: your password was changed`,
    text: `The password of your account at ${tenantName} was changed. If it was not you, tell us at once.`,
  };
}

/** A code for one payment; it names what it is for, so that a code asked for by somebody else is noticed. */
export function paymentCodeMessage(tenantName: string, code: string, amount: string, payee: string): Content {
  return {
    subject: `${tenantName}: your payment code`,
    text:
      `${code} is your code to pay ${amount} to ${payee} at ${tenantName}. It is good for 5 minutes and for this payment only. ` +
      `Give it to nobody.`,
  };
}
