import { useId, type ReactNode } from "react";
import { useTexts } from "../../lib/language";
import { useOptions } from "../compliance/codes";
import { dotted, plainText, type Faults } from "./content";
import type { Shape } from "./shape";
import { texts } from "./texts";

export interface PlaceProps {
  shape: Shape;
  value: unknown;
  path: string;
  label: string;
  faults: Faults;
  onChange: (value: unknown) => void;
}

const isBelow = (at: string, path: string) => at === path || at.startsWith(`${path}.`);

export function PlaceFaults({
  faults,
  path,
  id,
  whole,
}: {
  faults: Faults;
  path: string;
  id?: string;
  whole: boolean;
}) {
  const own = faults.filter((fault) => (whole ? isBelow(dotted(fault.path), path) : dotted(fault.path) === path));
  if (own.length === 0) return null;
  return (
    <p id={id} className="text-bad">
      {own.map(({ message }) => message).join("; ")}
    </p>
  );
}

/** Whether something at the place, or within it, was refused. */
export function hasFault(faults: Faults, path: string): boolean {
  return faults.some((fault) => isBelow(dotted(fault.path), path));
}

function Labelled({
  id,
  label,
  faults,
  path,
  children,
}: {
  id: string;
  label: string;
  faults: Faults;
  path: string;
  children: ReactNode;
}) {
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-xs text-muted">
        {label}
      </label>
      {children}
      <PlaceFaults faults={faults} path={path} id={`${id}-fault`} whole />
    </div>
  );
}

export function TextPlace({ shape, value, path, label, faults, onChange }: PlaceProps) {
  const id = useId();
  const t = useTexts(texts);
  const optionsOf = useOptions();
  const given = {
    id,
    className: "control",
    "aria-invalid": hasFault(faults, path),
    "aria-describedby": hasFault(faults, path) ? `${id}-fault` : undefined,
  };
  const shown = Array.isArray(value) ? value.join(", ") : plainText(value);
  const isChoice = shape.kind === "choice" || shape.kind === "yesNo";
  const options =
    shape.kind === "choice"
      ? optionsOf(shape.options)
      : [
          { value: "true", label: t.yes },
          { value: "false", label: t.no },
        ];
  const hasNothing = shape.kind === "yesNo" || (shape.kind === "choice" && shape.isOptional);
  return (
    <Labelled id={id} label={label} faults={faults} path={path}>
      {isChoice ? (
        <select {...given} value={shown} onChange={(event) => onChange(typed(shape, event.target.value))}>
          {hasNothing && <option value="">{t.any}</option>}
          {options.map(({ value: each, label: text }) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
      ) : shape.kind === "text" && shape.rows ? (
        <textarea
          {...given}
          rows={shape.rows}
          value={shown}
          onChange={(event) => onChange(typed(shape, event.target.value))}
        />
      ) : shape.kind === "codes" ? (
        <CodesInput given={given} value={shown} onChange={(text) => onChange(typed(shape, text))} />
      ) : (
        <input
          {...given}
          inputMode={shape.kind === "count" ? "numeric" : "text"}
          value={shown}
          onChange={(event) => onChange(typed(shape, event.target.value))}
        />
      )}
    </Labelled>
  );
}

interface CodesProps {
  given: Record<string, unknown>;
  value: string;
  onChange: (text: string) => void;
}

/** Taken over when the field is left: a comma that is being typed is no code yet. */
function CodesInput({ given, value, onChange }: CodesProps) {
  return (
    <input
      key={value}
      {...given}
      defaultValue={value}
      onBlur={(event) => event.target.value !== value && onChange(event.target.value)}
    />
  );
}

function typed(shape: Shape, text: string): unknown {
  if (shape.kind === "codes") {
    return text
      .split(/[,;\n]+/)
      .map((code) => code.trim())
      .filter(Boolean);
  }
  if (text === "") return shape.kind === "text" ? "" : undefined;
  if (shape.kind === "yesNo") return text === "true";
  // What is no number is sent as it is, and refused by its path.
  return shape.kind === "count" && /^\d{1,9}$/.test(text) ? Number(text) : text;
}

export function CheckPlace({ value, label, onChange }: PlaceProps) {
  return (
    <label className="flex items-center gap-2 pt-5">
      <input
        type="checkbox"
        className="size-4 accent-(--accent)"
        checked={value === true}
        onChange={(event) => onChange(event.target.checked)}
      />
      {label}
    </label>
  );
}

/** Any number of some words. */
export function ChoicesPlace({
  value,
  path,
  label,
  faults,
  options,
  onChange,
}: PlaceProps & { options: readonly string[] }) {
  const optionsOf = useOptions();
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
  const put = (one: string, isChosen: boolean) =>
    onChange(options.filter((option) => (option === one ? isChosen : chosen.includes(option))));
  return (
    <fieldset>
      <legend className="mb-1 text-xs text-muted">{label}</legend>
      <div className="grid grid-cols-1 gap-x-4 gap-y-1 sm:grid-cols-2 xl:grid-cols-3">
        {optionsOf(options).map(({ value: one, label: text }) => (
          <label key={one} className="flex items-center gap-2">
            <input
              type="checkbox"
              className="size-4 accent-(--accent)"
              checked={chosen.includes(one)}
              onChange={(event) => put(one, event.target.checked)}
            />
            {text}
          </label>
        ))}
      </div>
      <PlaceFaults faults={faults} path={path} whole />
    </fieldset>
  );
}

/** An amount stays the text that was typed: no number is made of it. */
export function MoneyPlace({ shape, value, path, label, faults, onChange }: PlaceProps) {
  const t = useTexts(texts);
  const id = useId();
  const { amount = "", currency = "" } = (value ?? {}) as { amount?: string; currency?: string };
  const put = (after: { amount: string; currency: string }) => {
    const isEmpty = after.amount === "" && after.currency === "";
    onChange(isEmpty && shape.kind === "money" && shape.isOptional ? undefined : after);
  };
  const invalid = hasFault(faults, path);
  return (
    <Labelled id={id} label={label} faults={faults} path={path}>
      <div className="flex gap-2">
        <input
          id={id}
          className="control figures"
          inputMode="decimal"
          aria-invalid={invalid}
          aria-describedby={invalid ? `${id}-fault` : undefined}
          value={amount}
          onChange={(event) => put({ amount: event.target.value.trim(), currency })}
        />
        <input
          className="control max-w-20"
          aria-label={`${label}: ${t.currency}`}
          maxLength={3}
          value={currency}
          onChange={(event) => put({ amount, currency: event.target.value.toUpperCase() })}
        />
      </div>
    </Labelled>
  );
}
