import { useQuery } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { useState } from "react";
import { api, type AnswerOf } from "../../lib/api";
import { chartQuery } from "../../lib/chart";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useUrlState } from "../../lib/url-state";
import { useMay } from "../../lib/use-session";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { None, Time } from "../../ui/figures";
import { Stack } from "../../ui/page";
import { Loaded, Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { Table } from "../../ui/table";
import { MappingForm } from "./mapping-form";
import { texts } from "./texts";

type Found = AnswerOf<typeof api.books.readChartMapping>;

/** Which account of the organisation's own chart each code is; packages speak in them. */
export function Mapping() {
  const t = useTexts(texts);
  const { values, set } = useUrlState();
  const query = values["version"] === undefined ? {} : { version: values["version"] };
  const mapping = useQuery(
    read("books", "readChartMapping", query, (options) => api.books.readChartMapping(query, options)),
  );
  // An old version says nothing of how many there are.
  const newest = useQuery(read("books", "readChartMapping", {}, (options) => api.books.readChartMapping({}, options)));
  const last = newest.data?.mapping.version ?? 0;
  return (
    <Stack>
      {last > 1 && (
        <label className="flex w-40 flex-col gap-0.5">
          <span className="text-xs text-muted">{t.version}</span>
          <select
            className="control"
            value={values["version"] ?? ""}
            onChange={(event) => set({ version: event.target.value })}
          >
            <option value="">{String(last)}</option>
            {Array.from({ length: last - 1 }, (_, index) => String(last - 1 - index)).map((version) => (
              <option key={version} value={version}>
                {version}
              </option>
            ))}
          </select>
        </label>
      )}
      <Loaded query={mapping} lines={8}>
        {(found) => <Version of={found} isNewest={found.mapping.version === last} />}
      </Loaded>
    </Stack>
  );
}

function Version({ of, isNewest }: { of: Found; isNewest: boolean }) {
  const t = useTexts(texts);
  const may = useMay();
  const [isChanging, setChanging] = useState(false);
  const chart = useQuery(chartQuery);
  const { version, changedBy, changedAt, codes } = of.mapping;
  const own = new Map(codes.map((one) => [one.code, one]));
  const title = version === 0 ? t.ownChart : t.ownChartVersion(String(version));
  return (
    <Section
      title={title}
      flush
      actions={
        isNewest &&
        !isChanging &&
        may("putChartMapping") && (
          <Button icon={Pencil} onClick={() => setChanging(true)}>
            {t.changeMapping}
          </Button>
        )
      }
    >
      <p className="border-b border-line px-4 py-2 text-muted">
        {version === 0 ? t.noMapping : t.mappingHint}{" "}
        {changedBy !== undefined && (
          <>
            <Person id={changedBy} /> · <Time at={changedAt} />
          </>
        )}
      </p>
      {of.missing.length > 0 && (
        <p role="alert" className="border-b border-line bg-bad-soft px-4 py-2 text-bad">
          {t.mappingMissing} <span className="font-mono text-xs">{of.missing.join(", ")}</span>
        </p>
      )}
      <Loaded query={chart} lines={8}>
        {(all) =>
          isChanging ? (
            <MappingForm chart={all.codes} own={own} onClose={() => setChanging(false)} />
          ) : (
            <Table
              label={title}
              rows={all.codes}
              rowKey={({ code }) => code}
              columns={[
                { header: t.code, cell: ({ code }) => <span className="font-mono text-xs">{code}</span> },
                { header: t.meaning, cell: ({ meaning }) => meaning },
                {
                  header: t.ownAccount,
                  cell: ({ code }) =>
                    own.get(code)?.account ??
                    (of.missing.includes(code) ? <Badge tone="bad">{t.missing}</Badge> : <None />),
                },
                { header: t.name, cell: ({ code }) => own.get(code)?.name ?? <None /> },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
