/** Languages of the web app: one JSON file per language and namespace, loaded when a screen needs it. */
import { LANGUAGES } from '@haris/contract/constants';
import type { Language } from '@haris/contract/fields';
import i18next, { type BackendModule, type ResourceKey, type TypeOptions } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { localeOf } from './locale.ts';

/** Name of a JSON file below `en/`. */
export type TextNamespace = keyof TypeOptions['resources'];

/** Namespaces that every page needs: the shell, buttons. */
const CORE = ['common', 'shell'] as const;
/** Texts of failures and fields, for every screen that calls the server. The landing page loads faster without them. */
export const MESSAGES = ['errors', 'fields'] as const;

interface TextFile {
  readonly names: readonly TextNamespace[];
  readonly load: Readonly<Record<Language, () => Promise<Record<string, ResourceKey>>>>;
}

/**
 * Namespaces that are loaded together, as one file per language, because each request takes a phone as long as ten
 * texts.
 */
const FILES: readonly TextFile[] = [
  { names: CORE, load: { en: () => import('./core-en.ts'), ar: () => import('./core-ar.ts') } },
  { names: MESSAGES, load: { en: () => import('./messages-en.ts'), ar: () => import('./messages-ar.ts') } },
  {
    names: ['dashboard', 'approvals', 'child', 'kiosks'],
    load: { en: () => import('./dashboard-en.ts'), ar: () => import('./dashboard-ar.ts') },
  },
  {
    names: ['bookings', 'environment', 'stays', 'vouching'],
    load: { en: () => import('./care-en.ts'), ar: () => import('./care-ar.ts') },
  },
  {
    names: ['care-card', 'emergency', 'frame', 'incidents'],
    load: { en: () => import('./frame-en.ts'), ar: () => import('./frame-ar.ts') },
  },
];

const single = import.meta.glob<ResourceKey>(
  [
    './{en,ar}/*.json',
    '!./*/{common,shell,errors,fields,dashboard,approvals,child,kiosks}.json',
    '!./*/{bookings,environment,stays,vouching}.json',
    '!./*/{care-card,emergency,frame,incidents}.json',
  ],
  { import: 'default' },
);

async function fetchTexts(language: string, namespace: string): Promise<ResourceKey> {
  const file = FILES.find(({ names }) => names.some((name) => name === namespace));
  const texts = await (file === undefined
    ? single[`./${language}/${namespace}.json`]?.()
    : (await file.load[toLanguage(language)]())[namespace]);
  if (texts === undefined) throw new Error(`There are no texts ${namespace} in ${language}`);
  return texts;
}

const backend: BackendModule = { type: 'backend', callbackApi: false, init() {}, read: fetchTexts };

/** The shared i18next instance; components name their namespace in `useTranslation`. */
export const i18n = i18next;

function toLanguage(tag: string): Language {
  return LANGUAGES.find((language) => language === tag) ?? 'en';
}

let started: Promise<void> | undefined;

/**
 * Await this before the first render. Uses the language that public/boot.js found. Throws if the texts cannot be
 * loaded.
 */
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
      // `npm run check` ensures that both languages have every text.
      fallbackLng: false,
      ns: [...CORE],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      returnNull: false,
    });
  // Cached, because creating a formatter costs more than formatting.
  i18n.services.formatter?.addCached('number', (language) => {
    const { format } = new Intl.NumberFormat(localeOf(language ?? 'en'));
    return format;
  });
  assertLoaded(CORE, i18n.language);
}

/** Loads the texts of a screen in the language of the page. Throws if they cannot be loaded. */
export async function loadTexts(namespaces: readonly TextNamespace[]): Promise<void> {
  const language = started === undefined ? document.documentElement.lang : i18n.language;
  // Fetch at once, in parallel with the texts of the shell.
  for (const namespace of namespaces) fetchTexts(language, namespace).catch(() => {});
  await startI18n();
  // Also registers them, so that a change of language includes them.
  await i18n.loadNamespaces(namespaces);
  await loadMissing(namespaces, i18n.language);
}

function missingIn(language: string, namespaces: readonly TextNamespace[]): TextNamespace[] {
  return namespaces.filter((namespace) => !i18n.hasResourceBundle(language, namespace));
}

/** Loads the texts that a language lacks, including those whose load failed before. Throws if they cannot be loaded. */
async function loadMissing(namespaces: readonly TextNamespace[], language: string): Promise<void> {
  const missing = missingIn(language, namespaces);
  // i18next repeats a failed load only if it is told to reload.
  if (missing.length > 0) await i18n.reloadResources([language], missing);
  assertLoaded(missing, language);
}

function assertLoaded(namespaces: readonly TextNamespace[], language: string): void {
  const [missing] = missingIn(language, namespaces);
  if (missing !== undefined) throw new Error(`The texts ${missing} could not be loaded in ${language}`);
}

type LanguageListener = (language: Language) => void;
const listeners = new Set<LanguageListener>();

/** Calls back when a person chooses a language with the switch. Returns a function that unsubscribes. */
export function onLanguageChosen(listener: LanguageListener): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** For a choice by the person: switches the page and notifies listeners. Throws like {@link changeLanguage}. */
export async function chooseLanguage(language: Language): Promise<void> {
  await changeLanguage(language);
  for (const listener of listeners) listener(language);
}

/**
 * For the account's language, possibly set on another device: switches the page without notifying. Throws like {@link
 * changeLanguage}.
 */
export async function followLanguage(language: Language): Promise<void> {
  if (language !== currentLanguage()) await changeLanguage(language);
}

/** Switches the page without a reload. If the texts shown so far cannot be loaded, keeps the language and throws. */
async function changeLanguage(language: Language): Promise<void> {
  const shown = () => i18n.options.ns as TextNamespace[];
  // Other parts of the page may request texts in the meantime. With nothing left to load, i18next switches at once, so
  // that no part can begin to load in between.
  while (missingIn(language, shown()).length > 0) await loadMissing(shown(), language);
  await i18n.changeLanguage(language);
}

/** The current language as a value of the contract. */
export function currentLanguage(): Language {
  return toLanguage(i18n.language);
}

/** Text direction of a language: `rtl` for Arabic. */
export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}
