import { Link } from "../../app/link";
import { entriesFor } from "../../app/navigation";
import { useUser } from "../../app/use-session";
import { useOrganisation } from "../../app/organisation";
import { useLanguage } from "../../i18n/language";
import { Page } from "../../ui/page";

export default function Home() {
  const { name } = useOrganisation();
  const language = useLanguage();
  const entries = entriesFor(useUser()).filter(({ path }) => path !== "/");
  return (
    <Page title={name || "Manilla"}>
      <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {entries.map(({ path, label, icon: Icon }) => (
          <li key={path}>
            <Link to={path} className="card flex items-center gap-2.5 p-4 font-medium hover:border-accent">
              <Icon size={17} aria-hidden className="text-accent" />
              {label[language]}
            </Link>
          </li>
        ))}
      </ul>
    </Page>
  );
}
