import * as Radix from "@radix-ui/react-tabs";
import type { ReactNode } from "react";
import { useUrlState } from "../lib/url-state";

export interface Tab {
  key: string;
  label: ReactNode;
  content: ReactNode;
}

/** Tabs whose choice stands in the address; only the chosen one is rendered. */
export function Tabs({ tabs, label, name = "tab" }: { tabs: readonly Tab[]; label: string; name?: string }) {
  const { values, set } = useUrlState();
  const chosen = tabs.find(({ key }) => key === values[name]) ?? tabs[0];
  return (
    <Radix.Root
      value={chosen?.key ?? ""}
      onValueChange={(key) => set({ [name]: key === tabs[0]?.key ? undefined : key, at: undefined, page: undefined })}
      className="flex min-w-0 flex-col gap-4"
    >
      <Radix.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map(({ key, label: text }) => (
          <Radix.Trigger
            key={key}
            value={key}
            className="-mb-px border-b-2 border-transparent px-3 py-1.5 font-medium whitespace-nowrap text-muted hover:text-ink data-[state=active]:border-accent data-[state=active]:text-accent"
          >
            {text}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ key, content }) => (
        <Radix.Content key={key} value={key} className="min-w-0">
          {key === chosen?.key && content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
