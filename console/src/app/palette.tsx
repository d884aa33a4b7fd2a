import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { ArrowRight, FlaskConical, LogOut, Undo2 } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useLanguage, useTexts } from "../i18n/language";
import { openModal } from "../ui/dialog";
import { isSandbox, switchEnvironment } from "./environment";
import { entriesFor } from "./navigation";
import { session } from "./session";
import { appTexts } from "./texts";
import { mayCall, useUser } from "./use-session";
import { paletteTargets } from "./palette-targets";

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
  const targets = paletteTargets.filter(({ operation, matches }) => mayCall(user, operation) && matches.test(text));
  return (
    <dialog
      ref={ref}
      aria-label={t.palette}
      className="mt-[12vh] w-[min(560px,calc(100vw-24px))] rounded-xl border border-line bg-raised p-0 shadow-xl"
      onClose={onClose}
      onClick={(event) => event.target === ref.current && onClose()}
    >
      <Command label={t.palette} loop>
        <Command.Input
          value={typed}
          onValueChange={setTyped}
          placeholder={t.search}
          className="w-full border-b border-line bg-transparent px-4 py-3 text-lg outline-none"
        />
        <Command.List className="max-h-[50vh] overflow-y-auto p-1.5" label={t.palette}>
          <Command.Empty className="px-3 py-6 text-center text-muted">{t.noCommand}</Command.Empty>
          {text !== "" && targets.length > 0 && (
            <Group heading={t.goTo}>
              {targets.map(({ key, label, to }) => (
                <Item key={key} value={`${label(t, text)} ${text}`} onSelect={() => go(to(text))}>
                  <ArrowRight size={15} aria-hidden />
                  {label(t, text)}
                </Item>
              ))}
            </Group>
          )}
          <Group heading={t.pages}>
            {entriesFor(user).map(({ path, label, icon: Icon }) => (
              <Item key={path} value={`${label[language]} ${label.en}`} onSelect={() => go(path)}>
                <Icon size={15} aria-hidden />
                {label[language]}
              </Item>
            ))}
          </Group>
          <Group heading={t.actions}>
            <Item value={isSandbox ? t.toLive : t.toSandbox} onSelect={switchEnvironment}>
              {isSandbox ? <Undo2 size={15} aria-hidden /> : <FlaskConical size={15} aria-hidden />}
              {isSandbox ? t.toLive : t.toSandbox}
            </Item>
            <Item value={t.signOut} onSelect={() => void session.signOut()}>
              <LogOut size={15} aria-hidden />
              {t.signOut}
            </Item>
          </Group>
        </Command.List>
      </Command>
    </dialog>
  );
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
  );
}

function Item({ value, onSelect, children }: { value: string; onSelect: () => void; children: ReactNode }) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 data-[selected=true]:bg-accent-soft"
    >
      {children}
    </Command.Item>
  );
}
