import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { queryClient, read } from "../../lib/queries";
import { useMay } from "../../lib/use-session";
import { KeyValue } from "../../ui/facts";
import { Day, Time } from "../../ui/figures";
import { Form, SubmitButton, TextField, useActionForm } from "../../ui/form";
import { Columns } from "../../ui/page";
import { Loaded, Section } from "../../ui/panels";
import { texts } from "./texts";

/** What day it is for the sandbox, and how it is moved on. */
export function BusinessDate() {
  const t = useTexts(texts);
  const may = useMay();
  const clock = useQuery(
    read("organisation", "readBusinessClock", {}, (options) => api.organisation.readBusinessClock(options)),
  );
  const form = useActionForm({
    operation: "advanceBusinessDate",
    run: (days: number, options) => api.organisation.advanceBusinessDate({ days }, options),
    done: t.isAdvanced,
    // Whatever a page shows may be of another day now.
    onDone: () => void queryClient.invalidateQueries(),
    defaults: { days: "1" },
    toInput: ({ days }) => Number(days),
    keep: true,
  });
  return (
    <Columns>
      <Section title={t.businessDate}>
        <Loaded query={clock} lines={3}>
          {(found) => (
            <KeyValue
              columns={3}
              facts={[
                { label: t.today, value: <strong>{<Day at={found.businessDate} />}</strong> },
                { label: t.now, value: <Time at={found.businessTime} /> },
                { label: t.timeZone, value: found.timeZone },
              ]}
            />
          )}
        </Loaded>
      </Section>
      {may("advanceBusinessDate") && (
        <Section title={t.advance}>
          <p className="mb-3 text-muted">{t.advanceHint}</p>
          <Form of={form}>
            <TextField
              form={form.form}
              name="days"
              label={t.days}
              inputMode="numeric"
              check={(text) => (/^[1-9]\d{0,3}$/.test(text) ? undefined : t.notWhole)}
              isRequired
            />
            <div>
              <SubmitButton of={form}>{t.advance}</SubmitButton>
            </div>
          </Form>
        </Section>
      )}
    </Columns>
  );
}
