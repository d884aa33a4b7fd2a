import { useEntries } from "../../lib/area";
import { useLanguage, useTexts } from "../../lib/language";
import { Link } from "../../ui/link";
import { Section } from "../../ui/panels";
import { texts } from "./texts";

/** The pages that this person has, in large. */
export function Shortcuts() {
  const t = useTexts(texts);
  const language = useLanguage();
  const entries = useEntries().filter(({ path }) => path !== "/");
  return (
    <Section title={t.todo}>
      <ul className="flex flex-col gap-1">
        {entries.map(({ path, label, icon: Icon }) => (
          <li key={path}>
            <Link
              to={path}
              className="flex items-center gap-2.5 rounded-md px-2 py-1.5 font-medium hover:bg-accent-soft"
            >
              <Icon size={17} aria-hidden className="text-accent" />
              {label[language]}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
