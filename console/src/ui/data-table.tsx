import { List, type CallOptions, type Page, type Query } from "@manilla/client";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { OperationId } from "../generated/roles";
import { useTexts } from "../lib/language";
import { useOrganisation } from "../lib/organisation";
import { read, type AreaName } from "../lib/queries";
import { useUrlState, type Filters } from "../lib/url-state";
import { momentsOf } from "../lib/zoned-day";
import { Button } from "./button";
import { Pager } from "./pager";
import { Empty, ErrorPanel, Skeleton } from "./panels";
import { ScrollBox } from "./scroll-box";
import { Table, type Column } from "./table";
import { uiTexts } from "./texts";

interface Props<Row, Name extends string> {
  /** Read aloud as the table's name. */
  label: string;
  area: AreaName;
  operation: OperationId;
  /** A method of the API; the query has the filters and the place of the page. */
  list: (query: never, options: CallOptions) => List<Row> | PromiseLike<readonly Row[]>;
  filters?: Filters<Name>;
  /**
   * Filters that are days, the first and the last; they are sent as
   * moments of the organisation's zone.
   */
  days?: { first: Name; last?: Name };
  /**
   * Whose rows they are, where `list` has it in its path: nothing read for another one is shown.
   */
  of?: string;
  /** Sent beside the filters. */
  query?: Readonly<Partial<Record<Name, string>>>;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** Where a row leads; its first cell becomes the link. */
  rowLink?: (row: Row) => string;
  /** Shown where there is nothing at all, without filters. */
  empty: ReactNode;
}

/**
 * A list of the API, page by page. Arrows move between rows, Enter
 * opens one, "/" goes to the search.
 */
export function DataTable<Row, Name extends string = never>(props: Props<Row, Name>) {
  const { area, operation, list, filters, days, of, query = {}, columns, empty, label } = props;
  const t = useTexts(uiTexts);
  const { timeZone } = useOrganisation();
  const { values } = useUrlState();
  const place = placeOf(values["at"]);
  const filtered = filters && days ? momentsOf(filters.values, days, timeZone) : filters?.values;
  const requested = { ...query, ...filtered, ...place };
  const rows = useQuery(
    read(area, operation, { ...requested, of }, async (options): Promise<Pick<Page<Row>, "items" | "next">> => {
      const listed = list(requested as never, options);
      return listed instanceof List ? await listed.page() : { items: [...(await listed)] };
    }),
  );
  if (rows.data === undefined) {
    return (
      <div className="card">
        {rows.error ? (
          <div className="p-4">
            <ErrorPanel error={rows.error} onRetry={() => void rows.refetch()} />
          </div>
        ) : (
          <Skeleton lines={8} />
        )}
      </div>
    );
  }
  const { items, next } = rows.data;
  const page = Number(values["page"] ?? 1);
  if (items.length === 0 && page === 1) {
    return (
      <div className="card">
        {filters?.isFiltered ? (
          <Empty title={t.nothing}>
            <p className="mb-2">{t.nothingHint}</p>
            <Button onClick={filters.clear}>{t.clearFilters}</Button>
          </Empty>
        ) : (
          empty
        )}
      </div>
    );
  }
  return (
    <div className="card min-w-0 overflow-hidden">
      {rows.error && (
        <div className="p-2">
          <ErrorPanel error={rows.error} onRetry={() => void rows.refetch()} />
        </div>
      )}
      <ScrollBox className={rows.isPlaceholderData ? "opacity-60" : ""}>
        <Table
          label={label}
          rows={items}
          columns={columns}
          rowKey={props.rowKey}
          rowLink={props.rowLink}
          isBusy={rows.isFetching}
        />
      </ScrollBox>
      <Pager page={page} count={items.length} next={next} />
    </div>
  );
}

/** The place of a page as it stands in the address: "cursor~…". */
export function placeOf(text: string | undefined): Query {
  const [name = "", ...rest] = (text ?? "").split("~");
  return name === "" ? {} : { [name]: rest.join("~") };
}
