import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { Badge } from "../../ui/badge";
import { Bars, KeyValue } from "../../ui/facts";
import { Day, Figure, Time } from "../../ui/figures";
import { Empty, Loaded, Section } from "../../ui/panels";
import { productTexts } from "./product-texts";

const readAgainMs = 5_000;

/** How far the latest day's interest is counted. */
export function Accrual() {
  const t = useTexts(productTexts);
  const progress = useQuery({
    ...read("loans", "readAccrualProgress", {}, (options) => api.loanServicing.readAccrualProgress(options)),
    refetchInterval: ({ state }) => (state.data?.startedAt && !state.data.finishedAt ? readAgainMs : false),
  });
  return (
    <Section title={t.accrual}>
      <Loaded query={progress}>
        {({ date, loansDone, rangesDone, ranges, startedAt, finishedAt }) =>
          date === undefined ? (
            <Empty title={t.accrualNone}>{t.accrualNoneHint}</Empty>
          ) : (
            <div className="flex flex-col gap-4">
              <KeyValue
                columns={3}
                facts={[
                  { label: t.day, value: <Day at={date} /> },
                  { label: t.loansDone, value: <Figure value={loansDone} /> },
                  { label: t.started, value: <Time at={startedAt} seconds /> },
                  {
                    label: t.finished,
                    value: finishedAt ? <Time at={finishedAt} seconds /> : <Badge tone="warn">{t.underWay}</Badge>,
                  },
                ]}
              />
              <Bars
                bars={[
                  {
                    label: t.ranges,
                    share: ranges === 0 ? 0 : rangesDone / ranges,
                    text: `${rangesDone} / ${ranges}`,
                    tone: finishedAt ? "good" : "accent",
                  },
                ]}
              />
            </div>
          )
        }
      </Loaded>
    </Section>
  );
}
