import { useLanguage, useTexts } from "../../lib/language";
import { KeyValue } from "../../ui/facts";
import { Section } from "../../ui/panels";
import { Rows } from "../../ui/rows";
import { useWord } from "../compliance/codes";
import { amountText } from "./content";
import { texts, useFieldName } from "./texts";
import type { Profile } from "./types";

type Row = Profile["rows"][number];

/** The profiles of a policy, to be read: rows of the law with their sources, then the tenant's. */
export function TransparencyProfiles({ profiles }: { profiles: readonly Profile[] }) {
  const t = useTexts(texts);
  const word = useWord();
  const nameOf = useFieldName();
  return (
    <Section title={t.transparency}>
      <p className="mb-3 text-muted">{profiles.length === 0 ? t.noProfiles : t.transparencyHint}</p>
      {profiles.map((profile) => (
        <div key={nameOfProfile(profile, word)} className="mb-4 flex flex-col gap-2">
          <h3 className="font-medium">{nameOfProfile(profile, word)}</h3>
          <KeyValue
            columns={3}
            facts={[
              { label: nameOf("currency"), value: profile.currency },
              { label: nameOf("linkedHours"), value: String(profile.linkedHours) },
              { label: nameOf("onMissing"), value: word(profile.onMissing) },
            ]}
          />
          <ProfileRows label={nameOfProfile(profile, word)} rows={[...profile.standardRows, ...profile.rows]} />
        </div>
      ))}
    </Section>
  );
}

/** What comes with the profiles of a draft, beside the form that it cannot be changed by. */
export function StandardRows({ profiles }: { profiles: readonly Profile[] }) {
  const t = useTexts(texts);
  const word = useWord();
  return (
    <Section title={t.standardRows}>
      <p className="mb-3 text-muted">{t.standardRowsHint}</p>
      {profiles.map((profile) => (
        <div key={nameOfProfile(profile, word)} className="mb-4 flex flex-col gap-2">
          <h3 className="font-medium">{nameOfProfile(profile, word)}</h3>
          <ProfileRows label={nameOfProfile(profile, word)} rows={profile.standardRows} />
        </div>
      ))}
    </Section>
  );
}

function nameOfProfile({ profile, originCountries }: Profile, word: (code: string) => string): string {
  return [word(profile), originCountries.join(", ")].join(" · ");
}

function ProfileRows({ label, rows }: { label: string; rows: readonly Row[] }) {
  const t = useTexts(texts);
  const word = useWord();
  const nameOf = useFieldName();
  const language = useLanguage();
  const amountOf = ({ amount, isAbove }: Row) => (isAbove ? t.above : t.fromOn)(amountText(amount, language));
  return (
    <Rows
      label={label}
      rows={rows.map((row, index) => ({ ...row, key: String(index) }))}
      rowKey={({ key }) => key}
      empty={t.noRules}
      columns={[
        { header: nameOf("amount"), cell: amountOf },
        { header: nameOf("funding"), cell: ({ funding }) => word(funding) },
        {
          header: nameOf("destination"),
          cell: ({ destination, receivingCountries }) => receivingCountries.join(", ") || word(destination),
        },
        {
          header: nameOf("members"),
          cell: ({ members, isVerified }) => [...members.map(word), ...(isVerified ? [t.verified] : [])].join(", "),
        },
        { header: nameOf("source"), cell: ({ source }) => source ?? t.ownRow },
      ]}
    />
  );
}
