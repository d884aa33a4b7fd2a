import { Bar, CartesianGrid, ComposedChart, Legend, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { useLanguage } from "../../lib/language";
import { grouped } from "../../lib/money";
import type { ChartPlan, ChartPoint } from "./figures";

const colours = ["var(--accent)", "var(--good)", "var(--warn)", "var(--bad)", "var(--muted)"];

interface Props {
  label: string;
  kind: ChartPlan["kind"];
  series: readonly string[];
  points: readonly ChartPoint[];
  nameOf: (series: string) => string;
  timeText: (at: string) => string;
  unit: string;
}

/** Figures over time; they stand in the table below it, too, for whoever hears the page. */
export default function TimeChart({ label, kind, series, points, nameOf, timeText, unit }: Props) {
  const language = useLanguage();
  const data = points.map(({ at, texts }) => ({
    at,
    texts,
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Number(text)])),
  }));
  // As it was said, not as it was drawn.
  const exact = (value: unknown, name: string, texts: ChartPoint["texts"] | undefined) =>
    `${grouped(texts?.[name] ?? String(value), language)} ${unit}`;
  return (
    <figure aria-label={label} className="relative overflow-hidden">
      <div className="h-64 min-w-0" aria-hidden>
        <ResponsiveContainer width="100%" height="100%">
          <ComposedChart data={data} margin={{ top: 8, right: 12, bottom: 0, left: 4 }} accessibilityLayer={false}>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="at"
              tickFormatter={(at) => timeText(String(at))}
              tick={{ fill: "var(--muted)", fontSize: 12 }}
              minTickGap={24}
            />
            <YAxis
              tick={{ fill: "var(--muted)", fontSize: 12 }}
              width={64}
              tickFormatter={(value) => grouped(String(value), language)}
            />
            <Tooltip
              labelFormatter={(at) => (typeof at === "string" ? timeText(at) : at)}
              formatter={(value, _name, item) => [
                exact(value, String(item.dataKey), (item.payload as ChartPoint | undefined)?.texts),
                nameOf(String(item.dataKey)),
              ]}
              cursor={{ fill: "var(--accent-soft)" }}
              contentStyle={{ background: "var(--raised)", border: "1px solid var(--line)", borderRadius: 8 }}
            />
            <Legend itemSorter={null} formatter={(name) => nameOf(String(name))} />
            {series.map((name, index) => {
              const colour = colours[index % colours.length]!;
              return kind !== "line" ? (
                <Bar
                  key={name}
                  dataKey={name}
                  fill={colour}
                  isAnimationActive={false}
                  {...(kind === "stack" && { stackId: "all" })}
                />
              ) : (
                <Line
                  key={name}
                  dataKey={name}
                  stroke={colour}
                  strokeWidth={2}
                  connectNulls
                  isAnimationActive={false}
                />
              );
            })}
          </ComposedChart>
        </ResponsiveContainer>
      </div>
    </figure>
  );
}
