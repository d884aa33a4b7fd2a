import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../../lib/language";
import { Loaded } from "../../ui/panels";
import { eventTypesQuery, wildcardOf } from "./endpoints";
import { texts } from "./texts";

interface Props {
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
  fault: string | undefined;
}

/** Types of events, or all of a kind, those of tomorrow among them. */
export function TypeChoice({ chosen, onChange, fault }: Props) {
  const t = useTexts(texts);
  const types = useQuery(eventTypesQuery());
  const toggle = (pattern: string) =>
    onChange(chosen.includes(pattern) ? chosen.filter((one) => one !== pattern) : [...chosen, pattern]);
  return (
    <fieldset aria-describedby={fault === undefined ? undefined : "types-fault"}>
      <legend className="mb-1 font-medium">{t.eventTypes}</legend>
      <Loaded query={types}>
        {(found) => {
          const sent = found.filter(({ type }) => type !== "webhook_endpoint.test");
          return (
            <div className="flex max-h-72 flex-col gap-2.5 overflow-y-auto rounded-md border border-line p-3">
              {[...new Set(sent.map(({ type }) => wildcardOf(type)))].map((wildcard) => (
                <div key={wildcard}>
                  <Check
                    label={t.allOf(wildcard)}
                    isChecked={chosen.includes(wildcard)}
                    onToggle={() => toggle(wildcard)}
                  />
                  <ul className="mt-1 ml-6 grid grid-cols-1 gap-1 sm:grid-cols-2">
                    {sent
                      .filter(({ type }) => wildcardOf(type) === wildcard)
                      .map(({ type, summary }) => (
                        <li key={type} title={summary}>
                          <Check
                            label={type}
                            isChecked={chosen.includes(wildcard) || chosen.includes(type)}
                            isFixed={chosen.includes(wildcard)}
                            onToggle={() => toggle(type)}
                          />
                        </li>
                      ))}
                  </ul>
                </div>
              ))}
            </div>
          );
        }}
      </Loaded>
      {fault !== undefined && (
        <p id="types-fault" className="mt-1 text-bad">
          {fault}
        </p>
      )}
    </fieldset>
  );
}

interface CheckProps {
  label: string;
  isChecked: boolean;
  isFixed?: boolean;
  onToggle: () => void;
}

function Check({ label, isChecked, isFixed = false, onToggle }: CheckProps) {
  return (
    <label className="flex items-center gap-2">
      <input
        type="checkbox"
        className="size-4 accent-(--accent)"
        checked={isChecked}
        disabled={isFixed}
        onChange={onToggle}
      />
      <span className="font-mono text-xs">{label}</span>
    </label>
  );
}
