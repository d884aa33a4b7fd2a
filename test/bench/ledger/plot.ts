import { medians, names } from "./report.js";
import type { Samples } from "./contenders.js";

const width = 760;
const left = 270;
const right = 90;
const rowHeight = 22;
const groupGap = 14;
const top = 64;
const colours = { many: "#2563eb", hot: "#d97706" };

/**
 * Transfers per second of every contender, on a logarithmic scale: they lie three powers of ten
 * apart.
 */
export function plotOf(samples: Samples, caption: string): string {
  const groups = Object.entries(names).flatMap(([letter, label]) => {
    const bars = (["many", "hot"] as const).flatMap((load) => {
      const list = samples.get(`${letter} ${load}`);
      return list === undefined || list.length === 0 ? [] : [{ load, value: medians(list).transfersPerS }];
    });
    return bars.length === 0 ? [] : [{ label, bars }];
  });
  const values = groups.flatMap(({ bars }) => bars.map(({ value }) => value));
  const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
  const x = (value: number) => left + ((Math.log10(value) - low) / Math.max(1, high - low)) * (width - left - right);
  const height = top + groups.length * (2 * rowHeight + groupGap) + 40;
  const parts: string[] = [];
  for (let power = low; power <= high; power++) {
    const at = x(10 ** power).toFixed(1);
    parts.push(`<line x1="${at}" y1="${top - 8}" x2="${at}" y2="${height - 36}" stroke="#e5e7eb"/>`);
    parts.push(text(at, height - 20, (10 ** power).toLocaleString("en"), "middle", "#6b7280"));
  }
  let y = top;
  for (const { label, bars } of groups) {
    parts.push(text(left - 12, y + bars.length * (rowHeight / 2) + 4, label, "end", "#111827"));
    for (const { load, value } of bars) {
      const bar = Math.max(2, x(value) - left).toFixed(1);
      parts.push(
        `<rect x="${left}" y="${y}" width="${bar}" height="${rowHeight - 4}" rx="2" fill="${colours[load]}"/>`,
      );
      parts.push(text((x(value) + 6).toFixed(1), y + 14, Math.round(value).toLocaleString("en"), "start", "#374151"));
      y += rowHeight;
    }
    y += groupGap;
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="16" y="24" font-size="15" font-weight="600" fill="#111827">Ledger: transfers per second</text>`,
    text(16, 43, caption, "start", "#6b7280"),
    legend(width - 246, 24, colours.many, "many accounts"),
    legend(width - 120, 24, colours.hot, "one hot account"),
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}

function legend(x: number, y: number, colour: string, label: string): string {
  return `<rect x="${x}" y="${y - 10}" width="11" height="11" rx="2" fill="${colour}"/>${text(x + 16, y, label, "start", "#374151")}`;
}

function text(
  x: number | string,
  y: number,
  content: string,
  anchor: "start" | "middle" | "end",
  colour: string,
): string {
  const escaped = content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${colour}">${escaped}</text>`;
}
