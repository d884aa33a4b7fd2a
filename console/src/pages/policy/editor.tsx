import { Plus, Trash2 } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { CheckPlace, ChoicesPlace, hasFault, MoneyPlace, PlaceFaults, TextPlace, type PlaceProps } from "./inputs";
import { useWord } from "../compliance/codes";
import type { Field, Shape } from "./shape";
import { texts, useFieldName } from "./texts";

type MembersOf = Readonly<Record<string, unknown>>;

/** What stands at one place of a policy, as a form; what is left empty is left out. */
export function Place(props: PlaceProps) {
  const { shape } = props;
  switch (shape.kind) {
    case "object":
      return <Group {...props} shape={shape} />;
    case "list":
      return <Rows {...props} shape={shape} />;
    case "money":
      return <MoneyPlace {...props} />;
    case "check":
      return <CheckPlace {...props} />;
    case "choices":
      return <ChoicesPlace {...props} options={shape.options} />;
    default:
      return <TextPlace {...props} />;
  }
}

/** The members of an object, side by side. */
export function Members({
  fields,
  value,
  path,
  faults,
  onChange,
}: Omit<PlaceProps, "shape" | "label"> & { fields: readonly Field[] }) {
  const nameOf = useFieldName();
  const members = (value ?? {}) as MembersOf;
  const change = (name: string, after: unknown) => {
    const { [name]: _before, ...rest } = members;
    onChange(after === undefined ? rest : { ...rest, [name]: after });
  };
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-3">
      {fields.map(({ name, shape, isWide }) => (
        <div key={name} className={isWide ? "min-w-0 sm:col-span-2 xl:col-span-3" : "min-w-0"}>
          <Place
            shape={shape}
            value={members[name]}
            path={`${path}.${name}`}
            label={nameOf(name)}
            faults={faults}
            onChange={(after) => change(name, after)}
          />
        </div>
      ))}
    </div>
  );
}

function Group({ shape, label, ...rest }: PlaceProps & { shape: Extract<Shape, { kind: "object" }> }) {
  const t = useTexts(texts);
  const { value, path, faults, onChange } = rest;
  const isAbsent = value === undefined && shape.isOptional;
  return (
    <fieldset className="rounded-lg border border-line p-3">
      <legend className="px-1 font-medium">{label}</legend>
      <PlaceFaults faults={faults} path={path} whole={false} />
      {isAbsent ? (
        <Button icon={Plus} onClick={() => onChange(shape.blank?.() ?? {})}>
          {t.add}: {label}
        </Button>
      ) : (
        <>
          <Members fields={shape.fields} {...rest} />
          {shape.isOptional && (
            <Button icon={Trash2} variant="quiet" className="mt-2" onClick={() => onChange(undefined)}>
              {t.takeAway}: {label}
            </Button>
          )}
        </>
      )}
    </fieldset>
  );
}

/** Further ones are added at the end; each says its number, by which faults name it. */
export function Rows({
  shape,
  value,
  path,
  label,
  faults,
  onChange,
}: PlaceProps & { shape: Extract<Shape, { kind: "list" }> }) {
  const t = useTexts(texts);
  const word = useWord();
  const rows = (value ?? []) as readonly unknown[];
  const put = (index: number, after: unknown) => onChange(rows.map((row, at) => (at === index ? after : row)));
  return (
    <div className="flex flex-col gap-3">
      <PlaceFaults faults={faults} path={path} whole={false} />
      {rows.map((row, index) => {
        const place = { path: `${path}.${index}`, value: row, faults, onChange: (after: unknown) => put(index, after) };
        const title = titleOf(row, word) || `${label} ${index + 1}`;
        return (
          <Row
            key={index}
            title={title}
            startsOpen={rows.length <= 2 || titleOf(row, word) === ""}
            isAtFault={hasFault(faults, place.path)}
          >
            {shape.item.kind === "object" ? (
              <Members fields={shape.item.fields} {...place} />
            ) : (
              <Place shape={shape.item} label={`${label} ${index + 1}`} {...place} />
            )}
            <div className="flex justify-end">
              <Button icon={Trash2} variant="quiet" onClick={() => onChange(rows.filter((_row, at) => at !== index))}>
                {t.takeAway}: {title}
              </Button>
            </div>
          </Row>
        );
      })}
      <div>
        <Button icon={Plus} onClick={() => onChange([...rows, shape.blank()])}>
          {t.add}: {label}
        </Button>
      </div>
    </div>
  );
}

interface RowProps {
  title: string;
  startsOpen: boolean;
  isAtFault: boolean;
  children: ReactNode;
}

/** Folded where there are many; one at fault opens by itself. */
function Row({ title, startsOpen, isAtFault, children }: RowProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  useEffect(() => {
    if (isAtFault) setOpen(true);
  }, [isAtFault]);
  return (
    <details
      className="rounded-lg border border-line"
      open={isOpen}
      onToggle={(event) => {
        // Those of rows within it are told here, too.
        if (event.target === event.currentTarget) setOpen(event.currentTarget.open);
      }}
    >
      <summary className="px-3 py-2 font-medium [overflow-wrap:anywhere]">{title}</summary>
      <div className="flex flex-col gap-3 border-t border-line p-3">{children}</div>
    </details>
  );
}

function titleOf(row: unknown, word: (code: string) => string): string {
  const { name, profile, originCountries, measure, amount, currency } = row as Record<string, unknown>;
  if (typeof name === "string") return name;
  if (typeof profile === "string") return [word(profile), ...(originCountries as readonly string[])].join(" · ");
  if (typeof measure === "string") return "";
  return typeof amount === "string" ? `${amount} ${String(currency)}`.trim() : "";
}
