import { FlaskConical } from "lucide-react";
import { useState } from "react";
import { api, type AnswerOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { Form, TextField, useActionForm } from "../../ui/form";
import { Section } from "../../ui/panels";
import { Table } from "../../ui/table";
import { SubjectLink } from "../compliance/subject";
import { texts } from "./texts";

type Result = AnswerOf<typeof api.compliance.tryScreeningPolicyDraft>;

const mostSubjects = 10_000;

/** Compares who was compared last by the draft, too; nothing is changed by it. */
export function ScreeningTrial() {
  const t = useTexts(texts);
  const [result, setResult] = useState<Result>();
  const form = useActionForm({
    operation: "tryScreeningPolicyDraft",
    run: (subjects: number, options) => api.compliance.tryScreeningPolicyDraft({ subjects }, options),
    onDone: setResult,
    defaults: { subjects: "1000" },
    keep: true,
    toInput: ({ subjects }) => Number(subjects),
  });
  return (
    <Section title={t.try}>
      <p className="mb-3 text-muted">{t.tryScreeningHint}</p>
      <Form of={form}>
        <div className="max-w-60">
          <TextField
            form={form.form}
            name="subjects"
            inputMode="numeric"
            label={t.subjects}
            isRequired
            check={(text) =>
              /^[1-9]\d{0,4}$/.test(text) && Number(text) <= mostSubjects ? undefined : t.between("1", "10000")
            }
          />
        </div>
        <div>
          <Button type="submit" icon={FlaskConical} busy={form.isRunning}>
            {t.try}
          </Button>
        </div>
      </Form>
      {result && <Outcome result={result} />}
    </Section>
  );
}

function Outcome({ result }: { result: Result }) {
  const t = useTexts(texts);
  return (
    <div className="mt-4 flex flex-col gap-3" aria-live="polite">
      <p>{t.compared(String(result.subjects), String(result.hitsNow), String(result.hitsByDraft))}</p>
      {result.differences.length > 0 && (
        <div className="overflow-x-auto">
          <Table
            label={t.differences}
            rows={result.differences}
            rowKey={({ subject }) => `${subject.kind} ${subject.id}`}
            columns={[
              {
                header: t.who,
                cell: ({ subject }) => (
                  <>
                    <bdi className="font-medium">{subject.name}</bdi>
                    <div>
                      <SubjectLink kind={subject.kind} id={subject.id} customerId={subject.customerId} />
                    </div>
                  </>
                ),
              },
              { header: t.inForce, cell: ({ entriesNow }) => entriesNow.join(", ") || t.noHit },
              { header: t.byDraft, cell: ({ entriesByDraft }) => entriesByDraft.join(", ") || t.noHit },
            ]}
          />
        </div>
      )}
    </div>
  );
}
