import { useQuery } from "@tanstack/react-query";
import { api, type AnswerOf } from "../../lib/api";
import { useLanguage, useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { Form, SubmitButton, TextArea, useActionForm, CheckField } from "../../ui/form";
import { Loaded, Section } from "../../ui/panels";
import { productTexts } from "./product-texts";

type HolidayCalendar = AnswerOf<typeof api.loans.readHolidayCalendar>;

const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
// 1 January 2024 was a Monday.
const dayOfWeek = (number: number) => new Date(Date.UTC(2024, 0, number));
const linesOf = (text: string) => text.split(/[\s,;]+/).filter(Boolean);
const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** Weekend and holidays. */
export function Calendar() {
  const t = useTexts(productTexts);
  const calendar = useQuery(
    read("loans", "readHolidayCalendar", {}, (options) => api.loans.readHolidayCalendar(options)),
  );
  return (
    <Section title={t.calendar}>
      <Loaded query={calendar}>{(found) => <CalendarForm key={JSON.stringify(found)} calendar={found} />}</Loaded>
    </Section>
  );
}

function CalendarForm({ calendar }: { calendar: HolidayCalendar }) {
  const t = useTexts(productTexts);
  const language = useLanguage();
  const name = new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" });
  const form = useActionForm({
    operation: "putHolidayCalendar",
    run: (body: { weekend: number[]; holidays: string[] }, options) => api.loans.putHolidayCalendar(body, options),
    stales: ["loans"],
    done: t.calendarSaved,
    defaults: {
      weekend: Object.fromEntries(weekdays.map((day) => [`d${day}`, calendar.weekend.includes(day)])),
      holidays: calendar.holidays.join("\n"),
    },
    keep: true,
    toInput: ({ weekend, holidays }) => ({
      weekend: weekdays.filter((day) => weekend[`d${day}`]),
      holidays: linesOf(holidays).toSorted(),
    }),
  });
  const faultOf = (text: string) => {
    const bad = linesOf(text).find((line) => !isDay(line));
    return bad === undefined ? undefined : t.badDay(bad);
  };
  return (
    <div className="max-w-xl">
      <p className="mb-4 text-muted">{t.calendarHint}</p>
      <Form of={form}>
        <fieldset>
          <legend className="mb-1 font-medium">{t.weekend}</legend>
          <div className="flex flex-wrap gap-x-5 gap-y-2">
            {weekdays.map((day) => (
              <CheckField key={day} form={form.form} name={`weekend.d${day}`} label={name.format(dayOfWeek(day))} />
            ))}
          </div>
        </fieldset>
        <TextArea form={form.form} name="holidays" label={t.holidays} hint={t.holidaysHint} rows={10} check={faultOf} />
        <div>
          <SubmitButton of={form}>{t.save}</SubmitButton>
        </div>
      </Form>
    </div>
  );
}
