import { Search as SearchIcon } from "lucide-react";
import { useState } from "react";
import { genders, screenedKinds } from "../../generated/enums";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { Form, SelectField, TextArea, TextField, useActionForm } from "../../ui/form";
import { Link } from "../../ui/link";
import { Empty, Section } from "../../ui/panels";
import { useOptions } from "../compliance/codes";
import { HitCard } from "../compliance/hit-card";
import type { Screening } from "../compliance/types";
import { texts } from "./texts";

type Input = Parameters<typeof api.compliance.searchScreeningLists>[0];

const born = /^\d{4}(-\d\d(-\d\d)?)?$/;
const country = /^[A-Z]{2,3}$/;
const mostPerMille = 1_000;

/** Looks for somebody by hand; the search is kept as a comparison, with who asked. */
export function Search() {
  const t = useTexts(texts);
  const optionsOf = useOptions();
  const [found, setFound] = useState<Screening>();
  const form = useActionForm({
    operation: "searchScreeningLists",
    run: (input: Input, options) => api.compliance.searchScreeningLists(input, options),
    stales: ["screenings"],
    onDone: setFound,
    defaults: { names: "", kind: "", dateOfBirth: "", gender: "", countries: "", threshold: "" },
    keep: true,
    toInput: (values): Input => ({
      names: linesOf(values.names),
      ...(values.kind && { kind: values.kind as "PERSON" | "COMPANY" }),
      ...(values.dateOfBirth.trim() && { dateOfBirth: values.dateOfBirth.trim() }),
      ...(values.gender && { gender: values.gender as "FEMALE" | "MALE" }),
      ...(values.countries.trim() && { countries: codesOf(values.countries) }),
      ...(values.threshold.trim() && { threshold: Number(values.threshold) }),
    }),
  });
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[340px_minmax(0,1fr)]">
      <Section title={t.search}>
        <Form of={form}>
          <TextArea form={form.form} name="names" label={t.names} hint={t.namesHint} isRequired rows={2} />
          <SelectField
            form={form.form}
            name="kind"
            label={t.kind}
            nothing={t.notKnown}
            options={optionsOf(screenedKinds)}
          />
          <TextField
            form={form.form}
            name="dateOfBirth"
            label={t.born}
            hint={t.bornHint}
            check={(text) => (born.test(text) ? undefined : t.bornHint)}
          />
          <SelectField
            form={form.form}
            name="gender"
            label={t.gender}
            nothing={t.notKnown}
            options={optionsOf(genders)}
          />
          <TextField
            form={form.form}
            name="countries"
            label={t.countries}
            hint={t.countriesHint}
            check={(text) => (codesOf(text).every((code) => country.test(code)) ? undefined : t.countriesHint)}
          />
          <TextField
            form={form.form}
            name="threshold"
            inputMode="numeric"
            label={t.threshold}
            hint={t.thresholdHint}
            check={(text) => (/^\d{1,4}$/.test(text) && Number(text) <= mostPerMille ? undefined : t.thresholdHint)}
          />
          <div className="flex justify-end">
            <Button type="submit" variant="primary" icon={SearchIcon} busy={form.isRunning}>
              {t.search}
            </Button>
          </div>
        </Form>
      </Section>
      <div className="flex min-w-0 flex-col gap-3" aria-live="polite">
        {found ? (
          <Found found={found} />
        ) : (
          <div className="card">
            <Empty icon={SearchIcon} title={t.searchFirst}>
              {t.searchFirstHint}
            </Empty>
          </div>
        )}
      </div>
    </div>
  );
}

function Found({ found }: { found: Screening }) {
  const t = useTexts(texts);
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <strong>{t.foundHits(String(found.hits.length))}</strong>
        <Link to={`/screenings/${found.screeningId}`} className="link">
          {t.openSearch}
        </Link>
      </p>
      {found.hits.length === 0 && (
        <div className="card">
          <Empty title={t.noHits}>{found.reason ?? t.noHitsHint}</Empty>
        </div>
      )}
      {found.hits.map((hit) => (
        <HitCard key={hit.hitId} hit={hit} subject={found.subject} />
      ))}
    </>
  );
}

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
const codesOf = (text: string) =>
  text
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter(Boolean);
