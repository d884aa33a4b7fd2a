import type { ShippedDisclosure } from "./disclosure-words.js";

const cancel =
  "Sie können innerhalb von {{minutes}} Minuten nach der Zahlung stornieren und erhalten alles zurück, sofern das Geld noch nicht abgeholt oder gutgeschrieben ist.";
const lessReceived =
  "Der Empfänger erhält möglicherweise weniger, weil seine Bank Gebühren berechnet oder im Ausland Steuern anfallen.";
const contact = "Bei Fragen oder Beschwerden zu {{organisation}} wenden Sie sich an:";
const errors =
  "Melden Sie {{organisation}} eine nicht autorisierte oder fehlerhaft ausgeführte Zahlung unverzüglich, spätestens 13 Monate nach dem Tag der Belastung: Der Betrag wird Ihnen unverzüglich erstattet. Beschwerden beantworten wir innerhalb von 15 Geschäftstagen.";

export const germanDisclosure: ShippedDisclosure = {
  common: {
    prepaymentTitle: "Informationen vor der Zahlung",
    receiptTitle: "Quittung",
    transaction: "Transaktion",
    validUntil: "Preis gilt bis",
    payUntil: "Zu zahlen bis",
    paid: "Bezahlt",
    sender: "Absender",
    recipient: "Empfänger",
    bankname: "Bank",
    bankaccountno: "Konto",
    accountholdername: "Kontoinhaber",
    bankcode: "Bankleitzahl",
    swiftbic: "BIC",
    mobileoperator: "Mobilfunkanbieter",
    mobilenumber: "Mobilnummer",
    payoutpointid: "Auszahlungsstelle",
    recipientname: "Abgeholt von",
    walletaccountno: "Wallet",
    transferAmount: "Überweisungsbetrag",
    fees: "Gebühren",
    taxes: "Steuern",
    taxOn: "Steuer auf {{fee}}",
    total: "Gesamtbetrag",
    exchangeRate: "Wechselkurs",
    transferredAmount: "Überweisungsbetrag",
    otherFees: "Fremde Gebühren",
    totalToRecipient: "Betrag beim Empfänger",
    refunded: "Erstattet",
    cashReceived: "Bar erhalten",
    cashChange: "Rückgeld",
    dateAvailable: "Verfügbar am",
    maySooner: "{{date}} (möglicherweise früher)",
    exactRate: "Der Kurs ist gerundet gezeigt. Gerechnet wurde mit dem ganzen Kurs:",
    businessDays:
      "Der Tag zählt Geschäftstage nach der Woche des Empfängerlandes; gesetzliche Feiertage sind nicht abgezogen.",
    cancelTitle: "Recht auf Stornierung",
    errorsTitle: "Fehler und Ansprüche",
    contactTitle: "Kontakt",
    authorityTitle: "Behörden",
  },
  legal: {
    GENERIC: {
      lessReceived,
      cancel,
      errors:
        "Wenn Sie einen Fehler in Ihrer Überweisung vermuten, sagen Sie es {{organisation}} sofort. Sie können auch eine schriftliche Erklärung Ihrer Rechte verlangen.",
      contact,
      authority: "Wenn {{organisation}} Ihrer Beschwerde nicht abhilft, können Sie sich wenden an:",
    },
    US_BSA: {
      lessReceived,
      cancel,
      errors:
        "Sie haben das Recht, Fehler in Ihrer Transaktion zu beanstanden. Wenn Sie einen Fehler vermuten, wenden Sie sich innerhalb von 180 Tagen nach dem Tag der Verfügbarkeit an {{organisation}}. Sie können auch eine schriftliche Erklärung Ihrer Rechte verlangen.",
      contact,
      authority: "Bei Fragen oder Beschwerden zu {{organisation}} können Sie sich auch wenden an:",
    },
    EU_TFR: {
      lessReceived:
        "Die Gebühren oben sind alle Entgelte von {{organisation}}. Zahlungsdienstleister außerhalb des Europäischen Wirtschaftsraums können eigene Entgelte abziehen.",
      cancel,
      errors,
      contact,
      authority:
        "Sie können eine Beschwerde bei der zuständigen Behörde einreichen und Streitigkeiten der Stelle für außergerichtliche Beilegung vorlegen:",
    },
    UK_FTR: {
      lessReceived:
        "Die Gebühren oben sind alle Entgelte von {{organisation}}. Zahlungsdienstleister außerhalb des Vereinigten Königreichs können eigene Entgelte abziehen.",
      cancel,
      errors,
      contact,
      authority: "Wenn Sie mit unserer Antwort nicht zufrieden sind, können Sie Ihre Beschwerde richten an:",
    },
  },
};
