import type { Words } from "./words.js";

const transfer = "Ihre Überweisung {{reference}} über {{amount}} an {{recipient}}";

/** The same in German. */
export const german: Words = {
  "transaction.paid": {
    subject: "{{organisation}}: Sie haben {{amount}} an {{recipient}} gesendet",
    text:
      "Guten Tag {{firstName}},\n\nIhre Zahlung von {{total}} ist da. {{recipient}} erhält {{received}}.\n\n" +
      "Ihre Referenz ist {{reference}}. Wir sagen Ihnen, wenn das Geld angekommen ist.",
    sms: "{{organisation}}: Sie haben {{amount}} an {{recipient}} gesendet. Dort kommen {{received}} an. Referenz {{reference}}.",
  },
  "transaction.ready_for_pickup": {
    subject: "{{organisation}}: {{recipient}} kann {{received}} abholen",
    text: `Guten Tag {{firstName}},\n\n${transfer} liegt bereit: {{recipient}} kann {{received}} abholen.`,
    sms: "{{organisation}}: {{recipient}} kann {{received}} abholen. Referenz {{reference}}.",
  },
  "transaction.completed": {
    subject: "{{organisation}}: {{recipient}} hat das Geld",
    text: "Guten Tag {{firstName}},\n\n{{recipient}} hat {{received}} erhalten.\n\nIhre Referenz ist {{reference}}.",
    sms: "{{organisation}}: {{recipient}} hat {{received}} erhalten. Referenz {{reference}}.",
  },
  "transaction.rejected": {
    subject: "{{organisation}}: Ihre Überweisung {{reference}} wird nicht ausgeführt",
    text:
      `Guten Tag {{firstName}},\n\n${transfer} können wir nicht ausführen. Dafür wurde nichts abgebucht.\n\n` +
      "Wenn Sie eine Frage haben, nennen Sie uns bitte die Referenz.",
    sms: "{{organisation}}: Ihre Überweisung {{reference}} über {{amount}} können wir nicht ausführen. Dafür wurde nichts abgebucht.",
  },
  "transaction.failed": {
    subject: "{{organisation}}: Ihre Überweisung {{reference}} konnte nicht ausgezahlt werden",
    text: `Guten Tag {{firstName}},\n\n${transfer} konnte nicht ausgezahlt werden. Das Geld kommt zu Ihnen zurück.`,
    sms: "{{organisation}}: Ihre Überweisung {{reference}} an {{recipient}} konnte nicht ausgezahlt werden. Das Geld kommt zu Ihnen zurück.",
  },
  "transaction.refunded": {
    subject: "{{organisation}}: {{refunded}} Ihrer Überweisung {{reference}} sind zurück",
    text: "Guten Tag {{firstName}},\n\nvon Ihrer Überweisung {{reference}} an {{recipient}} kommen {{refunded}} zu Ihnen zurück: in Ihre Wallet, oder bar am Schalter, wenn Sie dort bar bezahlt haben.",
    sms: "{{organisation}}: Von Ihrer Überweisung {{reference}} kommen {{refunded}} zurück: in Ihre Wallet oder bar am Schalter.",
  },
  "wallet.credited": {
    subject: "{{organisation}}: {{amount}} sind auf Ihrer Wallet eingegangen",
    text:
      "Guten Tag {{firstName}},\n\n{{amount}} sind auf Ihrer Wallet {{account}} eingegangen. " +
      "Sie enthält jetzt {{balance}}.",
    sms: "{{organisation}}: {{amount}} sind auf Ihrer Wallet {{account}} eingegangen.",
  },
  "loan.disbursed": {
    subject: "{{organisation}}: Ihr Kredit ist ausgezahlt",
    text: "Guten Tag {{firstName}},\n\nIhr Kredit ({{product}}) über {{amount}} ist ausgezahlt.",
    sms: "{{organisation}}: Ihr Kredit über {{amount}} ist ausgezahlt.",
  },
  "loan.repayment_verified": {
    subject: "{{organisation}}: Ihre Rate von {{amount}} ist da",
    text: "Guten Tag {{firstName}},\n\nIhre Rate von {{amount}} ist bei uns angekommen. Ihre Referenz ist {{reference}}.",
    sms: "{{organisation}}: Ihre Rate von {{amount}} ist angekommen. Referenz {{reference}}.",
  },
  "loan.repayment_rejected": {
    subject: "{{organisation}}: Ihre Rate von {{amount}} haben wir nicht gefunden",
    text:
      "Guten Tag {{firstName}},\n\ndie Rate von {{amount}}, die Sie uns gemeldet haben, haben wir nicht gefunden. Ihre Referenz ist " +
      "{{reference}}.\n\nBitte prüfen Sie, ob sie abgeschickt wurde, oder fragen Sie uns.",
    sms: "{{organisation}}: Ihre Rate von {{amount}}, Referenz {{reference}}, haben wir nicht gefunden. Bitte fragen Sie uns.",
  },
  "loan.repayment_overdue": {
    subject: "{{organisation}}: Ihre Rate von {{amount}} ist überfällig",
    text:
      "Guten Tag {{firstName}},\n\nfür Ihren Kredit ({{product}}) waren am {{dueOn}} {{amount}} fällig, die nicht bei uns " +
      "angekommen sind. Bitte zahlen Sie bald.\n\nHaben Sie schon gezahlt, müssen Sie nichts tun.",
    sms: "{{organisation}}: {{amount}} Ihres Kredits waren am {{dueOn}} fällig und sind nicht angekommen. Haben Sie schon gezahlt, müssen Sie nichts tun.",
  },
  "loan.paid_off": {
    subject: "{{organisation}}: Ihr Kredit ist abbezahlt",
    text: "Guten Tag {{firstName}},\n\nIhr Kredit ({{product}}) ist abbezahlt. Sie schulden dafür nichts mehr.",
    sms: "{{organisation}}: Ihr Kredit ({{product}}) ist abbezahlt.",
  },

  "security.password_reset": {
    subject: "{{organisation}}: ein neues Passwort setzen",
    text:
      "Jemand möchte für Ihr Konto bei {{organisation}} ein neues Passwort setzen.\n\n" +
      "Ihr Code zum Zurücksetzen: {{token}}\n\nEr gilt einmal, 30 Minuten lang. Wenn Sie das nicht waren, tun Sie bitte nichts.",
  },
  "security.password_changed": {
    subject: "{{organisation}}: Ihr Passwort wurde geändert",
    text: "Das Passwort Ihres Kontos bei {{organisation}} wurde geändert. Wenn Sie das nicht waren, sagen Sie es uns sofort.",
  },
  "security.payment_code": {
    subject: "{{organisation}}: Ihr Code für eine Zahlung",
    text:
      "{{code}} ist Ihr Code, um bei {{organisation}} {{amount}} an {{payee}} zu zahlen. Er gilt 5 Minuten und nur " +
      "für diese Zahlung. Geben Sie ihn niemandem.",
  },
  "security.change_code": {
    subject: "{{organisation}}: Ihr Code",
    text:
      "{{code}} ist Ihr Code bei {{organisation}}, um {{change}}. Er gilt 5 Minuten und nur dafür. " +
      "Wenn Sie ihn nicht angefordert haben, ändern Sie Ihr Passwort. Geben Sie ihn niemandem.",
  },
  "security.contact_code": {
    subject: "{{organisation}}: {{contact}} bestätigen",
    text:
      "{{code}} bestätigt diese {{contact}} für ein Konto bei {{organisation}}. " +
      "Wenn Sie dort kein Konto haben, tun Sie bitte nichts. Geben Sie den Code niemandem.",
  },
  "security.registration_code": {
    subject: "{{organisation}}: Ihre E-Mail-Adresse bestätigen",
    text:
      "{{code}} ist der Code, um Ihr Konto bei {{organisation}} zu eröffnen. Er gilt eine Stunde. " +
      "Wenn Sie sich dort nicht angemeldet haben, tun Sie bitte nichts: Ohne den Code gibt es kein Konto. Geben Sie ihn niemandem.",
  },
  "security.phone_code": {
    text: "{{code}} bestätigt Ihre Telefonnummer bei {{organisation}}. Er gilt 10 Minuten. Geben Sie ihn niemandem.",
  },
  "security.email_link": {
    subject: "{{organisation}}: Ihre E-Mail-Adresse bestätigen",
    text:
      "Bestätigen Sie Ihre E-Mail-Adresse bei {{organisation}} innerhalb von 24 Stunden:\n\n{{link}}\n\n" +
      "Wenn Sie das nicht waren, tun Sie bitte nichts.",
  },
};
