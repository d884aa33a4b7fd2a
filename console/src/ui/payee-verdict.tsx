import { defineTexts, useTexts } from "../lib/language";
import { Badge, type Tone } from "./badge";
import { Time } from "./figures";
import { Person } from "./person";

interface Verdict {
  result: string;
  checkedAt: string;
  accountName?: string;
  acceptedAt?: string;
  acceptedBy?: string;
}

const texts = defineTexts({
  en: {
    MTCH: "The account is theirs",
    CMTC: "Another name, but close",
    NMTC: "Somebody else’s account",
    NOAP: "The bank cannot say",
    NO_ANSWER: "No answer came",
    NO_PARTNER: "Nobody was there to ask",
    onAccount: (name: string) => `Name on the account: ${name}`,
    accepted: "Went on all the same:",
  },
  fr: {
    MTCH: "Le compte est le sien",
    CMTC: "Un autre nom, mais proche",
    NMTC: "Le compte de quelqu’un d’autre",
    NOAP: "La banque ne peut le dire",
    NO_ANSWER: "Aucune réponse",
    NO_PARTNER: "Personne à qui demander",
    onAccount: (name: string) => `Nom sur le compte : ${name}`,
    accepted: "A continué malgré tout :",
  },
});

const tones: Readonly<Record<string, Tone>> = { MTCH: "good", CMTC: "warn", NMTC: "bad" };

/** What a partner said of a recipient's account, and who went on in spite of it. */
export function PayeeVerdict({ of }: { of: Verdict }) {
  const t = useTexts(texts);
  return (
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={tones[of.result] ?? "neutral"}>{t[of.result as "MTCH"] ?? of.result}</Badge>
        <Time at={of.checkedAt} />
      </div>
      {of.accountName && <p>{t.onAccount(of.accountName)}</p>}
      {of.acceptedBy && (
        <p>
          {t.accepted} <Person id={of.acceptedBy} /> · <Time at={of.acceptedAt} />
        </p>
      )}
    </div>
  );
}
