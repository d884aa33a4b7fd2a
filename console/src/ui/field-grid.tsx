import type { ReactNode } from "react";

/** Fields beside each other where there is room. */
export function FieldGrid({ columns = 2, children }: { columns?: 2 | 3; children: ReactNode }) {
  const grid = { 2: "sm:grid-cols-2", 3: "sm:grid-cols-3" }[columns];
  return <div className={`grid grid-cols-1 items-start gap-x-4 gap-y-3.5 ${grid}`}>{children}</div>;
}

/** A part of a long form with a name. */
export function FieldGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-3.5">
      <legend className="mb-2 w-full border-b border-line pb-1 font-semibold">{title}</legend>
      {children}
    </fieldset>
  );
}
