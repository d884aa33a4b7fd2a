import { useLanguage, useTexts } from "../i18n/language";
import { areas } from "./areas";
import { sections, type NavEntry } from "./area";
import { isSandbox } from "./environment";
import { Link } from "./link";
import type { SignedInUser } from "./session";
import { appTexts } from "./texts";
import { mayCall, useUser } from "./use-session";

/** The entries that this person may open, in the order of the menu. */
export function entriesFor(user: SignedInUser): readonly NavEntry[] {
  const all = areas.flatMap(({ nav }) => nav);
  const own = all.filter(
    ({ operation, permission, sandboxOnly }) =>
      mayCall(user, operation) &&
      (permission === undefined || user.permissions.includes(permission)) &&
      (!sandboxOnly || isSandbox),
  );
  return own.map((entry) => ({ ...entry, label: entry.labelOf?.[user.role] ?? entry.label }));
}

export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const t = useTexts(appTexts);
  const language = useLanguage();
  const entries = entriesFor(useUser());
  return (
    <nav aria-label={t.navigation} className="flex flex-col gap-4 px-2.5 py-3">
      {sections.map((section) => {
        const own = entries.filter((entry) => entry.section === section);
        if (own.length === 0) return null;
        return (
          <div key={section}>
            <h2 className="px-2.5 pb-1 text-xs font-medium text-muted">{t[section]}</h2>
            <ul>
              {own.map(({ path, label, icon: Icon }) => (
                <li key={path}>
                  <Link
                    to={path}
                    {...(onNavigate && { onClick: onNavigate })}
                    className="flex items-center gap-2.5 rounded-md px-2.5 py-[5px] hover:bg-accent-soft aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent"
                  >
                    <Icon size={16} aria-hidden className="shrink-0" />
                    {label[language]}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}
