import { Languages, Monitor, Moon, Sun } from "lucide-react";
import { languages, languageStore, useLanguage, useTexts, type Language } from "../lib/language";
import { useStored } from "../lib/stored";
import { Menu } from "../ui/menu";
import { appTexts } from "./texts";
import { themes, themeStore } from "./theme";

const icons = { light: Sun, dark: Moon, system: Monitor };

/** Language and look. */
export function Choices() {
  const t = useTexts(appTexts);
  const language = useLanguage();
  const theme = useStored(themeStore);
  const Icon = icons[theme];
  return (
    <>
      <Menu
        label={`${t.language}: ${language}`}
        button={
          <>
            <Languages size={16} aria-hidden />
            <span className="text-xs font-semibold uppercase">{language}</span>
          </>
        }
        items={Object.entries(languages).map(([key, label]) => ({
          key,
          label,
          isChosen: key === language,
          onSelect: () => languageStore.set(key as Language),
        }))}
      />
      <Menu
        label={t.theme}
        button={<Icon size={16} aria-hidden />}
        items={themes.map((key) => ({
          key,
          label: t[key],
          icon: icons[key],
          isChosen: key === theme,
          onSelect: () => themeStore.set(key),
        }))}
      />
    </>
  );
}
