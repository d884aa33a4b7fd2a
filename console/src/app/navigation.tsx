import { sections, useEntries } from "../lib/area";
import { useLanguage, useTexts } from "../lib/language";
import { Link } from "../ui/link";
import { appTexts } from "./texts";

export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const t = useTexts(appTexts);
  const language = useLanguage();
  const entries = useEntries();
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
