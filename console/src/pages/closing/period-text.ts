import { useLanguage } from "../../lib/language";
import { dayText } from "../../lib/time";

const locales = { en: "en-GB", fr: "fr-FR" } as const;

/** "2026-11-29" → "29 Nov 2026", "2026-11" → "November 2026"; a year is as it is. */
export function usePeriodText(): (period: string) => string {
  const language = useLanguage();
  return (period) => {
    if (period.length === 10) return dayText(period, language, "UTC");
    if (period.length === 4) return period;
    const month = { month: "long", year: "numeric", timeZone: "UTC" } as const;
    return new Intl.DateTimeFormat(locales[language], month).format(new Date(`${period}-01T00:00:00Z`));
  };
}
