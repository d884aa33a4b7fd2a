import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { ArrowRight, FlaskConical, LogOut, Undo2, type LucideIcon } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useEntries } from "../lib/area";
import { isSandbox, switchEnvironment } from "../lib/environment";
import { useLanguage, useTexts } from "../lib/language";
import { session } from "../lib/session";
import { mayCall, useUser } from "../lib/use-session";
import { openModal } from "../ui/dialog";
import { paletteTargets } from "./palette-targets";
import { appTexts } from "./texts";

/** Pages, actions, and what an id or a text leads to. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const t = useTexts(appTexts);
  const language = useLanguage();
  const user = useUser();
  const navigate = useNavigate();
  const ref = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  useEffect(() => {
    if (ref.current && !ref.current.open) openModal(ref.current);
  }, []);
  const go = (to: string) => {
    onClose();
    const { pathname, searchParams } = new URL(to, "http://console");
    void navigate({ to: pathname, search: Object.fromEntries(searchParams) } as never);
  };
  const text = typed.trim();
  const has = (...words: readonly string[]) => words.some((word) => word.toLowerCase().includes(text.toLowerCase()));
  const pages = useEntries().filter(({ label }) => has(label[language], label.en));
  const actions = [
    {
      label: isSandbox ? t.toLive : t.toSandbox,
      icon: isSandbox ? Undo2 : FlaskConical,
      run: switchEnvironment,
    },
    { label: t.signOut, icon: LogOut, run: () => void session.signOut() },
  ].filter(({ label }) => has(label));
  const targets = paletteTargets.filter(({ operation, matches }) => mayCall(user, operation) && matches.test(text));
  return (
    <dialog
      ref={ref}
      aria-label={t.palette}
      className="mt-[12vh] w-[min(560px,calc(100vw-24px))] rounded-xl border border-line bg-raised p-0 shadow-xl"
      onClose={onClose}
      onClick={(event) => event.target === ref.current && onClose()}
    >
      <Command label={t.palette} loop shouldFilter={false}>
        <Command.Input
          value={typed}
          onValueChange={setTyped}
          placeholder={t.search}
          className="w-full border-b border-line bg-transparent px-4 py-3 text-lg outline-none"
        />
        <Command.List className="max-h-[50vh] overflow-y-auto p-1.5" label={t.palette}>
          <Command.Empty className="px-3 py-6 text-center text-muted">{t.noCommand}</Command.Empty>
          <Group heading={t.pages} hide={pages.length === 0}>
            {pages.map(({ path, label, icon }) => (
              <Item key={path} value={path} icon={icon} label={label[language]} onSelect={() => go(path)} />
            ))}
          </Group>
          <Group heading={t.actions} hide={actions.length === 0}>
            {actions.map(({ label, icon, run }) => (
              <Item key={label} value={label} icon={icon} label={label} onSelect={run} />
            ))}
          </Group>
          <Group heading={t.goTo} hide={text === "" || targets.length === 0}>
            {targets.map(({ key, label, to }) => (
              <Item key={key} value={key} icon={ArrowRight} label={label(t, text)} onSelect={() => go(to(text))} />
            ))}
          </Group>
        </Command.List>
      </Command>
    </dialog>
  );
}

function Group({ heading, hide, children }: { heading: string; hide: boolean; children: ReactNode }) {
  if (hide) return null;
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
  );
}

interface ItemProps {
  value: string;
  icon: LucideIcon;
  label: string;
  onSelect: () => void;
}

function Item({ value, icon: Icon, label, onSelect }: ItemProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 data-[selected=true]:bg-accent-soft"
    >
      <Icon size={15} aria-hidden />
      {label}
    </Command.Item>
  );
}
