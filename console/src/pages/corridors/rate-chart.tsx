import { Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { useLanguage, useTexts } from "../../lib/language";
import { grouped } from "../../lib/money";
import { useOrganisation } from "../../lib/organisation";
import { dayText, momentText } from "../../lib/time";
import { rateTexts } from "./rate-texts";
import type { Rate } from "./types";

/** The rate over time. What is drawn may be a number; what is written is the rate's own text. */
export default function RateChart({ rates }: { rates: readonly Rate[] }) {
  const t = useTexts(rateTexts);
  const language = useLanguage();
  const { timeZone } = useOrganisation();
  const points = rates
    .toSorted((one, other) => one.validFrom.localeCompare(other.validFrom))
    .map(({ validFrom, exchangeRate }) => ({ at: Date.parse(validFrom), drawn: Number(exchangeRate), exchangeRate }));
  const sorted = points.toSorted((one, other) => one.drawn - other.drawn);
  const [low, high] = [sorted[0]?.exchangeRate ?? "", sorted.at(-1)?.exchangeRate ?? ""];
  const label = t.chartText(String(points.length), grouped(low, language), grouped(high, language));
  return (
    <div role="img" aria-label={label} className="h-48 text-xs">
      <ResponsiveContainer width="100%" height="100%">
        <LineChart data={points} margin={{ top: 4, right: 12, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <XAxis
            dataKey="at"
            type="number"
            domain={["dataMin", "dataMax"]}
            stroke="var(--muted)"
            minTickGap={60}
            tickFormatter={(at: number) => dayText(new Date(at).toISOString(), language, timeZone)}
          />
          <YAxis domain={["auto", "auto"]} width={70} stroke="var(--muted)" />
          <Tooltip content={<Shown language={language} timeZone={timeZone} />} isAnimationActive={false} />
          <Line type="stepAfter" dataKey="drawn" stroke="var(--accent)" dot={{ r: 2 }} isAnimationActive={false} />
        </LineChart>
      </ResponsiveContainer>
    </div>
  );
}

interface ShownProps {
  language: "en" | "fr";
  timeZone: string;
  payload?: readonly { payload: { at: number; exchangeRate: string } }[];
}

function Shown({ language, timeZone, payload = [] }: ShownProps) {
  const [point] = payload;
  if (point === undefined) return null;
  return (
    <div className="figures rounded-md border border-line bg-raised px-2 py-1 shadow-lg">
      {grouped(point.payload.exchangeRate, language)}
      <div className="text-muted">{momentText(new Date(point.payload.at).toISOString(), language, timeZone)}</div>
    </div>
  );
}
