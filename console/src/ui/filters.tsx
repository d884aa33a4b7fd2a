import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTexts } from "../lib/language";
import type { Filters } from "../lib/url-state";
import { Button } from "./button";
import { uiTexts } from "./texts";

export interface FilterField<Name extends string> {
  name: Name;
  label: string;
  /** search: what "/" leads to. */
  kind: "search" | "text" | "date" | "select";
  options?: readonly { value: string; label: string }[];
  placeholder?: string;
  /** The select's first line, which filters nothing; "All" where absent. */
  nothing?: string;
}

/** The filters of a list, whose values stand in the address. */
export function FilterBar<Name extends string>({
  filters,
  fields,
}: {
  filters: Filters<Name>;
  fields: readonly FilterField<Name>[];
}) {
  const t = useTexts(uiTexts);
  return (
    <form role="search" className="flex flex-wrap items-end gap-2.5" onSubmit={(event) => event.preventDefault()}>
      {fields.map((field) => (
        <label
          key={field.name}
          className={`flex flex-col gap-0.5 ${field.kind === "search" ? "min-w-56 flex-1" : "w-[calc(50%-5px)] sm:w-40"}`}
        >
          <span className="text-xs text-muted">{field.label}</span>
          <Control
            field={field}
            value={filters.values[field.name] ?? ""}
            onChange={(value, replace) => filters.set(field.name, value, replace)}
          />
        </label>
      ))}
      {filters.isFiltered && (
        <Button variant="quiet" icon={X} onClick={filters.clear}>
          {t.clearFilters}
        </Button>
      )}
    </form>
  );
}

interface ControlProps {
  field: FilterField<string>;
  value: string;
  onChange: (value: string, replace: boolean) => void;
}

function Control({ field, value, onChange }: ControlProps) {
  const t = useTexts(uiTexts);
  if (field.kind === "select") {
    return (
      <select className="control" value={value} onChange={(event) => onChange(event.target.value, false)}>
        <option value="">{field.nothing ?? t.all}</option>
        {field.options?.map(({ value: each, label }) => (
          <option key={each} value={each}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  return <Typed field={field} value={value} onChange={onChange} />;
}

const pauseMs = 300;

/** Asked for when the typing pauses, not at each letter; by Enter at once. */
function Typed({ field, value, onChange }: ControlProps) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setText(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = { search: "search", date: "date", text: "text", select: "text" }[field.kind];
  return (
    <span className="relative block">
      {field.kind === "search" && <Search size={15} aria-hidden className="absolute top-2.5 left-2.5 text-muted" />}
      <input
        className={`control ${field.kind === "search" ? "pl-8" : ""}`}
        type={type}
        data-search={field.kind === "search" || undefined}
        placeholder={field.placeholder}
        value={text}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          clearTimeout(timer.current);
          onChange(text.trim(), true);
        }}
        onChange={(event) => {
          const typed = event.target.value;
          setText(typed);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => onChange(typed.trim(), true), field.kind === "date" ? 0 : pauseMs);
        }}
      />
    </span>
  );
}
