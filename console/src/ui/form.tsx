import { ApiError } from "@manilla/client";
import { useId, useMemo, type ReactNode } from "react";
import { useForm, type DefaultValues, type FieldPath, type FieldValues, type UseFormReturn } from "react-hook-form";
import { useTexts } from "../lib/language";
import { Button } from "./button";
import { ErrorPanel } from "./panels";
import { uiTexts } from "./texts";
import { useAction, type Action, type ActionOptions } from "./use-action";

export interface ActionForm<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  submit: () => void;
  isRunning: boolean;
  /** Of the server, where no field is at fault. */
  error: unknown;
}

interface FormOptions<Values extends FieldValues, Input> {
  defaults: DefaultValues<Values>;
  toInput: (values: Values) => Input;
  /** Paths of the API's faults → names of the fields, where they differ. */
  paths?: Readonly<Record<string, FieldPath<Values>>>;
  /** Keep what was typed after it succeeded. */
  keep?: boolean;
}

/**
 * A form that does something. The server's faults stand beside their fields; what is
 * typed stays until it succeeded.
 */
export function useActionForm<Values extends FieldValues, Input, Result>(
  options: ActionOptions<Input, Result> & FormOptions<Values, Input>,
): ActionForm<Values> {
  return useFormOf(useAction(options), options);
}

/** The form of an action that more than the form knows of. */
export function useFormOf<Values extends FieldValues, Input>(
  action: Action<Input, unknown>,
  options: FormOptions<Values, Input>,
): ActionForm<Values> {
  const { defaults, toInput, paths = {}, keep = false } = options;
  const form = useForm<Values>({ defaultValues: defaults, shouldFocusError: true });
  const { isRunning, error } = action;
  const faults = useMemo(() => faultsOf(error, paths, form), [error]);
  const submit = form.handleSubmit(async (values) => {
    const result = await action.run(toInput(values));
    if (result !== undefined && !keep) form.reset();
  });
  return {
    form: withFaults(form, faults),
    submit: () => void submit(),
    isRunning,
    error: faults.size > 0 ? undefined : error,
  };
}

const faultsKey = Symbol("faults");
type WithFaults = { [faultsKey]?: ReadonlyMap<string, string> };

function withFaults<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  faults: ReadonlyMap<string, string>,
): UseFormReturn<Values> {
  return Object.assign(form, { [faultsKey]: faults });
}

/** By field; empty where one of them has no field here, since the whole refusal is then shown. */
function faultsOf<Values extends FieldValues>(
  error: unknown,
  paths: Readonly<Record<string, string>>,
  form: UseFormReturn<Values>,
): ReadonlyMap<string, string> {
  const errors = error instanceof ApiError ? error.errors : [];
  const names = new Set(Object.keys(form.getValues()));
  const named = errors.map(
    ({ path, message }) => [paths[path] ?? path.replace(/^(body|query)\./, ""), message] as const,
  );
  return named.every(([name]) => names.has(name.split(".")[0] ?? "")) ? new Map(named) : new Map();
}

export function Form<Values extends FieldValues>({ of, children }: { of: ActionForm<Values>; children: ReactNode }) {
  return (
    <form
      noValidate
      className="flex flex-col gap-3.5"
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        of.submit();
      }}
    >
      <ErrorPanel error={of.error} />
      {children}
    </form>
  );
}

export function SubmitButton({
  of,
  children,
  danger = false,
  disabled = false,
}: {
  of: { isRunning: boolean };
  children: ReactNode;
  danger?: boolean;
  disabled?: boolean;
}) {
  return (
    <Button type="submit" variant={danger ? "danger" : "primary"} busy={of.isRunning} disabled={disabled}>
      {children}
    </Button>
  );
}

interface FieldProps<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  name: FieldPath<Values>;
  label: string;
  hint?: ReactNode;
  isRequired?: boolean;
  /** The sentence about a value that cannot be; undefined for one that can. */
  check?: (value: string) => string | undefined;
}

interface Given {
  id: string;
  "aria-invalid": boolean;
  "aria-describedby"?: string;
  "aria-required"?: boolean;
}

/** A label above a control, with its hint and its fault below. */
function Field<Values extends FieldValues>({
  form,
  name,
  label,
  hint,
  isRequired,
  children,
}: FieldProps<Values> & { children: (given: Given) => ReactNode }) {
  const id = useId();
  const own = form.getFieldState(name, form.formState).error?.message;
  const fault = own ?? (form as WithFaults)[faultsKey]?.get(name);
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(" ");
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
        {isRequired && (
          <span aria-hidden className="text-bad">
            {" "}
            *
          </span>
        )}
      </label>
      {children({
        id,
        "aria-invalid": Boolean(fault),
        ...(described && { "aria-describedby": described }),
        ...(isRequired && { "aria-required": true }),
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
      {fault && (
        <p id={`${id}-fault`} className="text-bad">
          {fault}
        </p>
      )}
    </div>
  );
}

function useRules<Values extends FieldValues>({ isRequired, check }: FieldProps<Values>) {
  const t = useTexts(uiTexts);
  return {
    validate: (value: unknown) => {
      const text = typeof value === "string" ? value.trim() : value;
      if (text === "" || text == null || text === false) return isRequired ? t.required : true;
      return (typeof text === "string" && check?.(text)) || true;
    },
  };
}

interface TextProps<Values extends FieldValues> extends FieldProps<Values> {
  type?: "text" | "email" | "password" | "date" | "datetime-local" | "number" | "tel";
  inputMode?: "decimal" | "numeric" | "text";
  autoComplete?: string;
  placeholder?: string;
  readOnly?: boolean;
  list?: readonly string[];
}

export function TextField<Values extends FieldValues>(props: TextProps<Values>) {
  const { form, name, type = "text", inputMode, autoComplete = "off", placeholder, readOnly, list } = props;
  const rules = useRules(props);
  return (
    <Field {...props}>
      {(given) => (
        <>
          <input
            {...given}
            {...form.register(name, rules)}
            type={type}
            inputMode={inputMode}
            autoComplete={autoComplete}
            placeholder={placeholder}
            readOnly={readOnly}
            list={list && `${given.id}-list`}
            className="control"
          />
          {list && (
            <datalist id={`${given.id}-list`}>
              {list.map((each) => (
                <option key={each} value={each} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  );
}

export function TextArea<Values extends FieldValues>(props: FieldProps<Values> & { rows?: number }) {
  const rules = useRules(props);
  return (
    <Field {...props}>
      {(given) => (
        <textarea {...given} {...props.form.register(props.name, rules)} rows={props.rows ?? 3} className="control" />
      )}
    </Field>
  );
}

interface SelectProps<Values extends FieldValues> extends FieldProps<Values> {
  options: readonly { value: string; label: string }[];
  /** The first line, which chooses nothing. */
  nothing?: string;
}

export function SelectField<Values extends FieldValues>(props: SelectProps<Values>) {
  const rules = useRules(props);
  return (
    <Field {...props}>
      {(given) => (
        <select {...given} {...props.form.register(props.name, rules)} className="control">
          {props.nothing !== undefined && <option value="">{props.nothing}</option>}
          {props.options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function CheckField<Values extends FieldValues>({ form, name, label, hint }: FieldProps<Values>) {
  const id = useId();
  return (
    <div>
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          {...form.register(name)}
          className="mt-0.5 size-4 accent-(--accent)"
          aria-describedby={hint ? id : undefined}
        />
        <span>{label}</span>
      </label>
      {hint && (
        <p id={id} className="ml-6 text-xs text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
