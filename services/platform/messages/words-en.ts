import type { Words } from "./words.js";

const transfer = "your transfer {{reference}} of {{amount}} to {{recipient}}";

/** Words that everybody starts with, in English. */
export const english: Words = {
  "transaction.paid": {
    subject: "{{organisation}}: you sent {{amount}} to {{recipient}}",
    text:
      "Hello {{firstName}},\n\nWe have your payment of {{total}}. {{recipient}} will get {{received}}.\n\n" +
      "Your reference is {{reference}}. We tell you when the money is there.",
    sms: "{{organisation}}: you sent {{amount}} to {{recipient}}, who will get {{received}}. Reference {{reference}}.",
  },
  "transaction.ready_for_pickup": {
    subject: "{{organisation}}: {{recipient}} can pick up {{received}}",
    text: `Hello {{firstName}},\n\nThe cash of ${transfer} is ready: {{recipient}} can pick up {{received}}.`,
    sms: "{{organisation}}: {{recipient}} can pick up {{received}}. Reference {{reference}}.",
  },
  "transaction.completed": {
    subject: "{{organisation}}: {{recipient}} has the money",
    text: "Hello {{firstName}},\n\n{{recipient}} has {{received}}.\n\nYour reference is {{reference}}.",
    sms: "{{organisation}}: {{recipient}} has {{received}}. Reference {{reference}}.",
  },
  "transaction.rejected": {
    subject: "{{organisation}}: your transfer {{reference}} is not carried out",
    text:
      `Hello {{firstName}},\n\nWe cannot carry out ${transfer}. Nothing was taken for it.\n\n` +
      "If you have a question, ask us and name the reference.",
    sms: "{{organisation}}: we cannot carry out your transfer {{reference}} of {{amount}}. Nothing was taken for it.",
  },
  "transaction.failed": {
    subject: "{{organisation}}: your transfer {{reference}} could not be paid out",
    text: `Hello {{firstName}},\n\nWe are sorry: ${transfer} could not be paid out. The money comes back to you.`,
    sms: "{{organisation}}: your transfer {{reference}} to {{recipient}} could not be paid out. The money comes back to you.",
  },
  "transaction.refunded": {
    subject: "{{organisation}}: {{refunded}} of your transfer {{reference}} are back",
    text: `Hello {{firstName}},\n\nOf ${transfer}, {{refunded}} come back: to your wallet, or in cash at a counter where you paid in cash.`,
    sms: "{{organisation}}: of your transfer {{reference}}, {{refunded}} come back: to your wallet, or in cash at a counter.",
  },
  "wallet.credited": {
    subject: "{{organisation}}: {{amount}} came into your wallet",
    text: "Hello {{firstName}},\n\n{{amount}} came into your wallet {{account}}. It now holds {{balance}}.",
    sms: "{{organisation}}: {{amount}} came into your wallet {{account}}.",
  },
  "loan.disbursed": {
    subject: "{{organisation}}: your loan is paid out",
    text: "Hello {{firstName}},\n\nYour loan ({{product}}) of {{amount}} is paid out.",
    sms: "{{organisation}}: your loan of {{amount}} is paid out.",
  },
  "loan.repayment_verified": {
    subject: "{{organisation}}: we have your repayment of {{amount}}",
    text: "Hello {{firstName}},\n\nWe have your repayment of {{amount}}. Its reference is {{reference}}.",
    sms: "{{organisation}}: we have your repayment of {{amount}}. Reference {{reference}}.",
  },
  "loan.repayment_rejected": {
    subject: "{{organisation}}: we did not find your repayment of {{amount}}",
    text:
      "Hello {{firstName}},\n\nWe did not find the repayment of {{amount}} that you told us of. Its reference is " +
      "{{reference}}.\n\nPlease look whether it was sent, or ask us.",
    sms: "{{organisation}}: we did not find your repayment of {{amount}}, reference {{reference}}. Please ask us.",
  },
  "loan.repayment_overdue": {
    subject: "{{organisation}}: your instalment of {{amount}} is overdue",
    text:
      "Hello {{firstName}},\n\n{{amount}} of your loan ({{product}}) was due on {{dueOn}} and has not reached us. " +
      "Please pay it soon.\n\nIf you have sent it already, you need do nothing.",
    sms: "{{organisation}}: {{amount}} of your loan was due on {{dueOn}} and has not reached us. If you have sent it, you need do nothing.",
  },
  "loan.paid_off": {
    subject: "{{organisation}}: your loan is paid off",
    text: "Hello {{firstName}},\n\nYour loan ({{product}}) is paid off. You owe nothing any more for it.",
    sms: "{{organisation}}: your loan ({{product}}) is paid off.",
  },

  "security.password_reset": {
    subject: "{{organisation}}: set a new password",
    text:
      "Somebody asked to set a new password for your account at {{organisation}}.\n\n" +
      "Your reset token: {{token}}\n\nIt can be used once, within 30 minutes. If it was not you, ignore this message.",
  },
  "security.password_changed": {
    subject: "{{organisation}}: your password was changed",
    text: "The password of your account at {{organisation}} was changed. If it was not you, tell us at once.",
  },
  "security.payment_code": {
    subject: "{{organisation}}: your payment code",
    text:
      "{{code}} is your code to pay {{amount}} to {{payee}} at {{organisation}}. It is good for 5 minutes and for " +
      "this payment only. Give it to nobody.",
  },
  "security.change_code": {
    subject: "{{organisation}}: your code",
    text:
      "{{code}} is your code to {{change}} at {{organisation}}. It is good for 5 minutes and for this only. " +
      "If you have not asked for it, change your password. Give it to nobody.",
  },
  "security.contact_code": {
    subject: "{{organisation}}: confirm your {{contact}}",
    text:
      "{{code}} confirms this {{contact}} for an account at {{organisation}}. " +
      "If you have no account there, ignore this message. Give the code to nobody.",
  },
  "security.registration_code": {
    subject: "{{organisation}}: confirm your e-mail address",
    text:
      "{{code}} is the code to open your account at {{organisation}}. It is good for an hour. " +
      "If you have not registered there, ignore this message: without the code there is no account. Give it to nobody.",
  },
  "security.phone_code": {
    text: "{{code}} confirms your phone number at {{organisation}}. It is good for 10 minutes. Give it to nobody.",
  },
  "security.email_link": {
    subject: "{{organisation}}: confirm your e-mail address",
    text:
      "Confirm your e-mail address at {{organisation}} within 24 hours:\n\n{{link}}\n\n" +
      "If it was not you, ignore this message.",
  },
};
