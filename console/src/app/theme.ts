import { stored } from "../lib/stored";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

export const themeStore = stored<Theme>("manilla.theme", "system", (text) => themes.includes(text as Theme));
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

function apply(): void {
  const theme = themeStore.get();
  const isDark = theme === "dark" || (theme === "system" && systemIsDark.matches);
  document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
}

/** Keeps the page in the chosen look, or in the system's. */
export function followTheme(): void {
  apply();
  themeStore.subscribe(apply);
  systemIsDark.addEventListener("change", apply);
}
