import { useEffect, useRef, type KeyboardEvent, type ReactNode } from "react";

interface Props<Item> {
  /** Read aloud as the list's name. */
  label: string;
  items: readonly Item[];
  itemKey: (item: Item) => string;
  /** What a letter that is typed goes to. */
  textOf: (item: Item) => string;
  children: (item: Item) => ReactNode;
  onChoose: (item: Item) => void;
  /** Below the items, as one of them. */
  last?: ReactNode;
}

/**
 * Few things of which one is chosen by keys alone: it takes the focus as it comes, arrows and first
 * letters move, Enter chooses.
 */
export function ChoiceList<Item>({ label, items, itemKey, textOf, children, onChoose, last }: Props<Item>) {
  const list = useRef<HTMLUListElement>(null);
  const keys = items.map(itemKey).join(" ");
  useEffect(() => list.current?.querySelector<HTMLElement>("button:not(:disabled)")?.focus(), [keys]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>("button:not(:disabled)")];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (at === -1 || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = nextOf(event.key, at, buttons);
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <ul ref={list} aria-label={label} className="flex flex-col gap-1" onKeyDown={onKeyDown}>
      {items.map((item) => (
        <li key={itemKey(item)}>
          <button
            type="button"
            data-text={textOf(item)}
            className="w-full rounded-md border border-line px-3 py-2 text-left hover:bg-accent-soft focus-visible:bg-accent-soft"
            onClick={() => onChoose(item)}
          >
            {children(item)}
          </button>
        </li>
      ))}
      {last && <li>{last}</li>}
    </ul>
  );
}

/** Where a key leads from one of the buttons; undefined where it leads nowhere. */
function nextOf(key: string, at: number, buttons: readonly HTMLButtonElement[]): HTMLButtonElement | undefined {
  if (key === "ArrowDown") return buttons[at + 1];
  if (key === "ArrowUp") return buttons[at - 1];
  if (key === "Home") return buttons[0];
  if (key === "End") return buttons.at(-1);
  if (!/^\p{L}$/u.test(key)) return undefined;
  const begins = ({ dataset }: HTMLButtonElement) => dataset["text"]?.toLowerCase().startsWith(key.toLowerCase());
  return [...buttons.slice(at + 1), ...buttons.slice(0, at)].find(begins);
}
