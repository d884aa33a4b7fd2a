import { useId, useState } from "react";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { texts } from "./texts";

interface Props {
  value: unknown;
  onChange: (value: unknown) => void;
}

/** The whole draft as text; nothing is taken over that is no JSON. */
export function JsonEditor({ value, onChange }: Props) {
  const t = useTexts(texts);
  const id = useId();
  const [text, setText] = useState(() => JSON.stringify(value, null, 2));
  const [fault, setFault] = useState<string>();
  const apply = () => {
    try {
      const read: unknown = JSON.parse(text);
      if (typeof read !== "object" || read === null || Array.isArray(read)) throw new TypeError(t.notObject);
      setFault(undefined);
      onChange(read);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="font-medium">
        {t.asJson}
      </label>
      <textarea
        id={id}
        className="control font-mono text-xs"
        rows={28}
        spellCheck={false}
        aria-invalid={fault !== undefined}
        aria-describedby={fault ? `${id}-fault` : undefined}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {fault && (
        <p id={`${id}-fault`} role="alert" className="text-bad">
          {fault}
        </p>
      )}
      <div className="flex justify-end">
        <Button onClick={apply}>{t.takeOver}</Button>
      </div>
    </div>
  );
}
