import { useQuery } from "@tanstack/react-query";
import { api, type AnswerOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useUrlState } from "../../lib/url-state";
import { KeyValue } from "../../ui/facts";
import { Day } from "../../ui/figures";
import { Page, Stack } from "../../ui/page";
import { Loaded, Section } from "../../ui/panels";
import { Checklist } from "./checklist";
import { Closings } from "./closings";
import { usePeriodText } from "./period-text";
import { texts } from "./texts";

type Periods = AnswerOf<typeof api.books.readPeriods>;

export default function Close() {
  const t = useTexts(texts);
  const periods = useQuery(read("books", "readPeriods", {}, (options) => api.books.readPeriods(options)));
  return (
    <Page title={t.title} about={t.titleAbout}>
      <Loaded query={periods} lines={8}>
        {(found) => <Next periods={found} />}
      </Loaded>
      <Closings />
    </Page>
  );
}

/** The period stands in the address; the first that may be closed where it does not. */
function Next({ periods: { closedThrough, today, closable } }: { periods: Periods }) {
  const t = useTexts(texts);
  const periodText = usePeriodText();
  const { values, set } = useUrlState();
  const period = closable.find((one) => one === values["period"]) ?? closable[0];
  return (
    <Stack>
      <Section title={t.stand}>
        <KeyValue
          columns={3}
          facts={[
            {
              label: t.closedThrough,
              value: <strong>{closedThrough === undefined ? t.nothingClosed : <Day at={closedThrough} />}</strong>,
            },
            { label: t.today, value: <Day at={today} /> },
          ]}
        />
        {closable.length === 0 && <p className="mt-3 text-muted">{t.nothingClosable}</p>}
        {closable.length > 0 && (
          <label className="mt-3 flex w-60 flex-col gap-0.5">
            <span className="text-xs text-muted">{t.next}</span>
            <select
              className="control"
              value={period}
              onChange={(event) => set({ period: event.target.value || undefined }, true)}
            >
              {closable.map((one) => (
                <option key={one} value={one}>
                  {periodText(one)}
                </option>
              ))}
            </select>
          </label>
        )}
      </Section>
      {period !== undefined && <Checklist key={period} period={period} />}
    </Stack>
  );
}
