/**
 * Checks the texts of the web app: `node scripts/i18n-keys.ts`, a part of `npm run check`. Every text exists in both
 * languages, has exactly the plural forms of its language and is used; every text that the code names exists.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';
import { errorCatalogue } from '../packages/contract/src/errors.ts';

/** Texts as in the files: language → namespace → JSON. */
export type Texts = Record<string, Record<string, unknown>>;
/** Path → code. */
export type Sources = Record<string, string>;

const SUFFIX = /^(.+)_(zero|one|two|few|many|other)$/s;
const PLACEHOLDER = /\{\{\s*(\w+)\s*(?:,\s*(\w+)[^}]*)?\}\}/g;

/** Location of the namespaces whose keys no code names one by one. */
const CONTRACT = /^packages\/contract\/src\//;
/** Failures outside the contract: no response arrived. */
const NETWORK_CODES = ['FETCH_ERROR', 'TIMEOUT_ERROR', 'PARSING_ERROR'];

/** `{a: {b: 'x'}}` → `a.b → x`. In `fields`, whole sentences are the keys. */
function flatten(value: unknown, path = ''): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return new Map([[path, value]]);
  return new Map(
    Object.entries(value).flatMap(([key, inner]) => [
      ...flatten(inner, path === '' ? key : `${path}.${key}`),
    ]),
  );
}

/** A text with its plural forms; a text without plurals has the single form ''. */
type Forms = Map<string, string>;

/** `too_many` alone is a key; beside `too_one` or `too_other` it is a plural form. */
function pluralOf(key: string, entries: Map<string, unknown>): RegExpExecArray | null {
  const found = SUFFIX.exec(key);
  const isPlural = entries.has(`${found?.[1]}_one`) || entries.has(`${found?.[1]}_other`);
  return isPlural ? found : null;
}

function group(entries: Map<string, unknown>): Map<string, Forms> {
  const groups = new Map<string, Forms>();
  for (const [key, text] of entries) {
    const [, base = key, form = ''] = pluralOf(key, entries) ?? [];
    const forms = groups.get(base) ?? new Map();
    groups.set(base, forms.set(form, String(text)));
  }
  return groups;
}

function placeholders(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

/** Problems of one text in one language, regardless of the other language. */
function formProblems(language: string, forms: Forms): string[] {
  const problems: string[] = [];
  const wanted = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const given = [...forms.keys()];
  const isPlural = given.some((form) => form !== '');
  if (isPlural) {
    const lacking = wanted.filter((form) => !forms.has(form));
    const surplus = given.filter((form) => !wanted.some((name) => name === form));
    if (lacking.length > 0) problems.push(`lacks the plural form ${lacking.join(', ')}`);
    if (surplus.length > 0)
      problems.push(`has a form that the language does not: ${surplus.join(', ') || 'no suffix'}`);
  }
  for (const text of forms.values()) {
    if (text.trim() === '') problems.push('is empty');
    if (!isPlural && placeholders(text).includes('count')) problems.push('has a count and no plural forms');
    for (const [whole, name, format] of text.matchAll(PLACEHOLDER)) {
      if (name === 'count' && format !== 'number')
        problems.push(`has ${whole}, which is not written in the language's digits: {{count, number}}`);
    }
  }
  return problems;
}

/** Problems found by comparing the languages. */
function languageProblems(texts: Texts): string[] {
  const problems: string[] = [];
  const languages = Object.keys(texts);
  const namespaces = new Set(languages.flatMap((language) => Object.keys(texts[language] ?? {})));
  for (const namespace of namespaces) {
    const grouped = new Map(
      languages.map((language) => [language, group(flatten(texts[language]?.[namespace] ?? {}))]),
    );
    const keys = new Set([...grouped.values()].flatMap((groups) => [...groups.keys()]));
    for (const key of keys) {
      const named = new Map<string, string>();
      for (const language of languages) {
        const at = `${language}/${namespace}.json: ${key}`;
        const forms = grouped.get(language)?.get(key);
        if (forms === undefined) {
          problems.push(`${at} is missing`);
          continue;
        }
        for (const problem of formProblems(language, forms)) problems.push(`${at} ${problem}`);
        const values = [...forms.values()].flatMap(placeholders).filter((name) => name !== 'count');
        named.set(language, [...new Set(values)].sort().join(', '));
      }
      if (new Set(named.values()).size > 1) {
        const each = [...named].map(([language, values]) => `${language} {${values}}`).join(', ');
        problems.push(`${namespace}: ${key} has other placeholders in the other language: ${each}`);
      }
    }
  }
  return problems;
}

interface SyntaxNode {
  type: string;
  [field: string]: unknown;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function* walk(value: unknown): Generator<SyntaxNode> {
  if (Array.isArray(value)) for (const inner of value) yield* walk(inner);
  else if (typeof value === 'object' && value !== null) {
    if (isNode(value)) yield value;
    for (const inner of Object.values(value)) yield* walk(inner);
  }
}

/** A text, or the pattern of a template in which each `${}` matches anything. */
function patternOf(node: SyntaxNode): RegExp | string | null {
  if (node.type === 'StringLiteral') return String(node.value);
  if (node.type !== 'TemplateLiteral') return null;
  const parts = (node.quasis as { cooked: string }[]).map(({ cooked }) => RegExp.escape(cooked));
  return parts.some((part) => part !== '') ? new RegExp(`^${parts.join('.+')}$`, 's') : null;
}

/** Possible first arguments: `t('a')`, t(`a.${b}`), `t(c ? 'a' : 'b')`. Values computed elsewhere are not followed. */
function patternsOf(node: SyntaxNode): (RegExp | string)[] {
  if (node.type === 'ConditionalExpression')
    return [node.consequent, node.alternate].filter(isNode).flatMap(patternsOf);
  const pattern = patternOf(node);
  return pattern === null ? [] : [pattern];
}

interface Usage {
  path: string;
  /** Namespaces of `useTranslation`; keys without a prefix belong to the first one. */
  namespaces: string[];
  /** Every string and template of the file. */
  named: (RegExp | string)[];
  /** First arguments of `t` and `exists`. */
  called: (RegExp | string)[];
}

function nameOfCallee(callee: SyntaxNode): string {
  if (callee.type === 'Identifier') return String(callee.value);
  if (callee.type === 'MemberExpression' && isNode(callee.property)) return String(callee.property.value);
  return '';
}

function usageOf(path: string, code: string): Usage {
  const usage: Usage = { path, namespaces: [], named: [], called: [] };
  const tree = parseSync(code, { syntax: 'typescript', tsx: path.endsWith('.tsx') });
  for (const node of walk(tree.body)) {
    const pattern = patternOf(node);
    if (pattern !== null) usage.named.push(pattern);
    if (node.type !== 'CallExpression' || !isNode(node.callee)) continue;
    const callee = nameOfCallee(node.callee);
    const [first] = node.arguments as { expression: SyntaxNode }[];
    if (first === undefined) continue;
    if (callee === 'useTranslation') {
      for (const name of walk(first.expression)) {
        if (name.type === 'StringLiteral' && !usage.namespaces.includes(String(name.value)))
          usage.namespaces.push(String(name.value));
      }
    }
    if (callee === 't' || callee === 'exists') usage.called.push(...patternsOf(first.expression));
  }
  return usage;
}

function matches(pattern: RegExp | string, text: string): boolean {
  return typeof pattern === 'string' ? pattern === text : pattern.test(text);
}

/** Whether any code could refer to this text. */
function isUsed(namespace: string, key: string, usages: readonly Usage[]): boolean {
  if (namespace === 'errors') return key in errorCatalogue || NETWORK_CODES.includes(key);
  return usages.some(({ path, namespaces, named }) => {
    // Keys are the error messages of the contract's schemas, so only files of the contract count.
    if (namespace === 'fields') return CONTRACT.test(path) && named.some((pattern) => matches(pattern, key));
    const isNamed = namespaces.includes(namespace);
    return named.some(
      (pattern) => matches(pattern, `${namespace}:${key}`) || (isNamed && matches(pattern, key)),
    );
  });
}

/** Unused texts and undefined keys. Looks only at the first language, since the other one has been compared with it. */
function usageProblems(texts: Texts, sources: Sources): string[] {
  const usages = Object.entries(sources).map(([path, code]) => usageOf(path, code));
  const [language = 'en'] = Object.keys(texts);
  const known = new Map<string, string[]>();
  const problems: string[] = [];
  for (const [namespace, content] of Object.entries(texts[language] ?? {})) {
    const keys = [...group(flatten(content)).keys()];
    known.set(namespace, keys);
    for (const key of keys)
      if (!isUsed(namespace, key, usages)) problems.push(`${namespace}.json: ${key} is used nowhere`);
  }
  for (const { path, namespaces, called } of usages) {
    if (CONTRACT.test(path)) continue;
    for (const pattern of called) {
      const isThere = [...known].some(([namespace, keys]) =>
        keys.some(
          (key) =>
            matches(pattern, `${namespace}:${key}`) ||
            (namespaces.includes(namespace) && matches(pattern, key)),
        ),
      );
      if (!isThere)
        problems.push(`${path}: there is no text ${typeof pattern === 'string' ? pattern : pattern.source}`);
    }
  }
  return problems;
}

/** All problems, one sentence each. The types of the keys come from the first language of `texts`. */
export function findProblems(texts: Texts, sources: Sources): string[] {
  return [...languageProblems(texts), ...usageProblems(texts, sources)];
}

function readTexts(folder: string, languages: readonly string[]): Texts {
  return Object.fromEntries(
    languages.map((language) => {
      const files = readdirSync(join(folder, language)).filter((file) => file.endsWith('.json'));
      const read = (file: string) =>
        JSON.parse(readFileSync(join(folder, language, file), 'utf8')) as unknown;
      return [language, Object.fromEntries(files.map((file) => [file.replace('.json', ''), read(file)]))];
    }),
  );
}

function readSources(root: string, folders: readonly string[]): Sources {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/(\.test\.tsx?|\.d\.ts)$/.test(file))
      .map((file) => `${folder}/${file}`),
  );
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const problems = findProblems(
    readTexts(join(root, 'apps/web/src/i18n'), ['en', 'ar']),
    readSources(root, ['apps/web/src', 'packages/contract/src']),
  );
  for (const problem of problems) console.log(problem);
  if (problems.length > 0) process.exitCode = 1;
}
