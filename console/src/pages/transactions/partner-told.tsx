import { useQuery } from "@tanstack/react-query";
import { api, type AnswerOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { KeyValue } from "../../ui/facts";
import { Time } from "../../ui/figures";
import { Loaded, Section } from "../../ui/panels";
import { inWords } from "../../ui/words";
import { Traces } from "./amendments";
import { texts } from "./texts";

type Told = AnswerOf<typeof api.transactions.readTransparency>;
type Party = NonNullable<NonNullable<Told["sent"]>["originator"]>;

/** What the policy asked of a transaction, and what its partner was told of both sides. */
export function PartnerTold({ transactionId }: { transactionId: string }) {
  const t = useTexts(texts);
  const told = useQuery(
    read("transactions", "readTransactionTransparency", { transactionId }, (options) =>
      api.transactions.readTransparency(transactionId, options),
    ),
  );
  return (
    <Section title={t.partnerTold}>
      <Loaded query={told} lines={4}>
        {({
          profile,
          members,
          missingMembers,
          sent,
          partnerAnswer,
          recordedOriginator,
          recordedBeneficiary,
          traces,
        }) => (
          <>
            <KeyValue
              columns={1}
              facts={[
                { label: t.policyProfile, value: profile ?? t.noProfile },
                { label: t.policyAsks, value: members.map(inWords).join(", ") || t.nothingRequired },
                { label: t.policyLacks, value: missingMembers.map(inWords).join(", ") || t.nothingRequired },
                { label: t.toldAt, value: sent ? <Time at={sent.sentAt} /> : t.notTold },
                ...(sent
                  ? [
                      { label: t.toldOfSender, value: sent.originator && inLine(sent.originator) },
                      { label: t.toldOfRecipient, value: sent.beneficiary && inLine(sent.beneficiary) },
                      { label: t.partnerSays, value: inWords(partnerAnswer ?? "") },
                      { label: t.recordedSender, value: recordedOriginator && inLine(recordedOriginator) },
                      { label: t.recordedRecipient, value: recordedBeneficiary && inLine(recordedBeneficiary) },
                    ]
                  : []),
              ]}
            />
            {traces.length > 0 && <Traces rows={traces} />}
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** All that is said of a party, in one line. */
function inLine({ name, address, dateOfBirth, placeOfBirth, document, account, country, lei }: Party): string {
  const home =
    address && [...address.lines, address.postalCode, address.city, address.country].filter(Boolean).join(", ");
  const birth = [dateOfBirth, placeOfBirth?.city, placeOfBirth?.country].filter(Boolean).join(" ");
  const paper = document && `${inWords(document.type)} ${document.number}`;
  return [name, home, birth, paper, account, country, lei].filter(Boolean).join(" · ");
}
