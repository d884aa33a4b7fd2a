import { createContext, useContext } from "react";
import { stored } from "./stored";

export const languages = { en: "English", fr: "Français" } as const;
export type Language = keyof typeof languages;

/** A text, or what makes one of values; the other language has the same keys. */
type Word = string | ((...values: never[]) => string);
export type Catalogue = { readonly [key: string]: Word };
export type Translated<T> = {
  readonly [K in keyof T]: T[K] extends (...values: infer A) => string ? (...values: A) => string : string;
};
export interface Texts<T> {
  readonly en: T;
  readonly fr: Translated<T>;
}

/** Declares the texts of an area: a key that one language lacks does not compile. */
export function defineTexts<const T extends Catalogue>(texts: { en: T; fr: Translated<NoInfer<T>> }): Texts<T> {
  return texts;
}

export const languageStore = stored<Language>("manilla.language", preferred(), (text) => text in languages);

export const LanguageContext = createContext<Language>("en");

export function useLanguage(): Language {
  return useContext(LanguageContext);
}

/** The texts in the language of the page. */
export function useTexts<T>(texts: Texts<T>): Translated<T> {
  return texts[useLanguage()] as Translated<T>;
}

/** What a language is called in that of the page, as a list has it: Français, German. */
export function languageName(code: string, language: Language): string {
  const name = new Intl.DisplayNames([language], { type: "language" }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

function preferred(): Language {
  return (navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in languages) as Language) ?? "en";
}
