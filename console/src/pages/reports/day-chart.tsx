import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { useLanguage, useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { dayText } from "../../lib/time";
import type { DayCounts } from "./sums";
import { texts } from "./texts";

const series = [
  { key: "done", fill: "var(--good)" },
  { key: "underWay", fill: "var(--accent)" },
  { key: "failed", fill: "var(--bad)" },
] as const;

/**
 * Transactions a day as stacked bars; the same figures stand in the table below
 * it for whoever hears the page.
 */
export default function DayChart({ days }: { days: readonly DayCounts[] }) {
  const t = useTexts(texts);
  const language = useLanguage();
  const { timeZone } = useOrganisation();
  const day = (date: unknown) => dayText(String(date), language, timeZone);
  const names = { done: t.done, underWay: t.underWay, failed: t.failed };
  return (
    <figure aria-label={t.byDay} className="relative overflow-hidden">
      <div className="h-72 min-w-0" aria-hidden>
        <ResponsiveContainer width="100%" height="100%">
          <BarChart data={[...days]} margin={{ top: 8, right: 8, bottom: 0, left: -16 }} accessibilityLayer={false}>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis dataKey="date" tickFormatter={day} tick={{ fill: "var(--muted)", fontSize: 12 }} minTickGap={24} />
            <YAxis allowDecimals={false} tick={{ fill: "var(--muted)", fontSize: 12 }} />
            <Tooltip
              labelFormatter={day}
              cursor={{ fill: "var(--accent-soft)" }}
              contentStyle={{ background: "var(--raised)", border: "1px solid var(--line)", borderRadius: 8 }}
            />
            <Legend />
            {series.map(({ key, fill }) => (
              <Bar key={key} dataKey={key} name={names[key]} stackId="day" fill={fill} isAnimationActive={false} />
            ))}
          </BarChart>
        </ResponsiveContainer>
      </div>
      <table className="sr-only">
        <caption>{t.byDay}</caption>
        <thead>
          <tr>
            <th scope="col">{t.day}</th>
            {series.map(({ key }) => (
              <th key={key} scope="col">
                {names[key]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((each) => (
            <tr key={each.date}>
              <th scope="row">{day(each.date)}</th>
              {series.map(({ key }) => (
                <td key={key}>{each[key]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
