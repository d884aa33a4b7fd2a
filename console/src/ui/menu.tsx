import * as Radix from "@radix-ui/react-dropdown-menu";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

export interface MenuItem {
  key: string;
  label: string;
  icon?: LucideIcon;
  onSelect: () => void;
  danger?: boolean;
  /** One of a choice. */
  isChosen?: boolean;
}

/** A button with a menu. It is not modal: a modal one would write a style into the page. */
export function Menu({
  label,
  button,
  items,
  heading,
}: {
  label: string;
  button: ReactNode;
  items: readonly (MenuItem | "line")[];
  heading?: ReactNode;
}) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger
        aria-label={label}
        title={label}
        className="inline-flex h-8 items-center gap-1.5 rounded-md px-2 hover:bg-accent-soft data-[state=open]:bg-accent-soft"
      >
        {button}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={4}
          className="z-40 min-w-48 rounded-lg border border-line bg-raised p-1 shadow-lg"
        >
          {heading && <div className="border-b border-line px-2.5 pt-1 pb-2 mb-1">{heading}</div>}
          {items.map((item, index) =>
            item === "line" ? (
              <Radix.Separator key={`line-${index}`} className="my-1 h-px bg-line" />
            ) : (
              <Radix.Item
                key={item.key}
                onSelect={item.onSelect}
                className={`flex cursor-pointer items-center gap-2 rounded px-2.5 py-1.5 outline-none data-[highlighted]:bg-accent-soft ${item.danger ? "text-bad" : ""} ${item.isChosen ? "font-semibold text-accent" : ""}`}
              >
                {item.icon && <item.icon size={15} aria-hidden />}
                {item.label}
              </Radix.Item>
            ),
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
