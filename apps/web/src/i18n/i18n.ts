/** Languages of the web app: one JSON file per language and namespace, each loaded when a screen wants it. */
import { LANGUAGES } from '@haris/contract/constants';
import type { Language } from '@haris/contract/fields';
import i18next, { type BackendModule, type ResourceKey, type TypeOptions } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { localeOf } from './locale.ts';

/** Name of a JSON file below `en/`. */
export type TextNamespace = keyof TypeOptions['resources'];

/** What every page needs: the shell, buttons, the sentences of failures. One file per language. */
const CORE = ['common', 'shell', 'errors', 'fields'] as const;
const core = { en: () => import('./core-en.ts'), ar: () => import('./core-ar.ts') };

function isCore(namespace: string): namespace is (typeof CORE)[number] {
  return CORE.some((name) => name === namespace);
}

const files = import.meta.glob<ResourceKey>(['./{en,ar}/*.json', '!./*/{common,shell,errors,fields}.json'], {
  import: 'default',
});

async function fetchTexts(language: string, namespace: string): Promise<ResourceKey> {
  if (isCore(namespace)) return (await core[toLanguage(language)]())[namespace];
  const load = files[`./${language}/${namespace}.json`];
  if (load === undefined) throw new Error(`There are no texts ${namespace} in ${language}`);
  return load();
}

const backend: BackendModule = { type: 'backend', callbackApi: false, init() {}, read: fetchTexts };

/** The shared instance; components use `useTranslation('<namespace>')`. */
export const i18n = i18next;

function toLanguage(tag: string): Language {
  return LANGUAGES.find((language) => language === tag) ?? 'en';
}

let started: Promise<void> | undefined;

/** Must have ended before the first render. The language is the one that public/boot.js found. Throws without texts. */
export function startI18n(): Promise<void> {
  started ??= start();
  return started;
}

async function start(): Promise<void> {
  await i18n
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: toLanguage(document.documentElement.lang),
      supportedLngs: LANGUAGES,
      // `npm run check` sees to it that both languages have every text.
      fallbackLng: false,
      ns: [...CORE],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      returnNull: false,
    });
  // Making one costs more than what it formats.
  i18n.services.formatter?.addCached('number', (language) => {
    const { format } = new Intl.NumberFormat(localeOf(language ?? 'en'));
    return format;
  });
  assertLoaded(CORE, i18n.language);
}

/** Loads the texts of a screen in the language of the page. Throws where one could not be fetched. */
export async function loadTexts(namespaces: readonly TextNamespace[]): Promise<void> {
  const language = started === undefined ? document.documentElement.lang : i18n.language;
  // Asked for at once: the texts of the first screen come beside those of the shell.
  for (const namespace of namespaces) fetchTexts(language, namespace).catch(() => {});
  await startI18n();
  await i18n.loadNamespaces(namespaces);
  assertLoaded(namespaces, i18n.language);
}

function assertLoaded(namespaces: readonly TextNamespace[], language: string): void {
  const missing = namespaces.find((namespace) => !i18n.hasResourceBundle(language, namespace));
  if (missing !== undefined) throw new Error(`The texts ${missing} could not be loaded in ${language}`);
}

type LanguageListener = (language: Language) => void;
const listeners = new Set<LanguageListener>();

/** Calls back when a person has chosen a language with the switch. Answers the way to stop. */
export function onLanguageChosen(listener: LanguageListener): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** A person chose this language: the page switches, and whoever keeps the choice is told. Throws as below. */
export async function chooseLanguage(language: Language): Promise<void> {
  await changeLanguage(language);
  for (const listener of listeners) listener(language);
}

/** What the account has chosen, on another device perhaps: the page switches, and nobody is told. Throws as below. */
export async function followLanguage(language: Language): Promise<void> {
  if (language !== currentLanguage()) await changeLanguage(language);
}

/** Switches the page without a reload; stays as it is and throws where the texts of what was shown cannot be fetched. */
async function changeLanguage(language: Language): Promise<void> {
  const shown = i18n.options.ns as TextNamespace[];
  const missing = shown.filter((namespace) => !i18n.hasResourceBundle(language, namespace));
  if (missing.length > 0) await i18n.reloadResources([language], missing);
  assertLoaded(missing, language);
  await i18n.changeLanguage(language);
}

/** The current language as the contract names it. */
export function currentLanguage(): Language {
  return toLanguage(i18n.language);
}

/** `rtl` for Arabic. */
export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}
