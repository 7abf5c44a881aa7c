/**
 * Adds a static frame of the dashboard to the page: the header, the places of the sidebar and of the bar of phones, the
 * screen's title and its figures without values.
 * public/boot.js shows it before any code of the app has loaded. src/app/header.tsx and
 * src/features/dashboard/frame/dashboard-frame.tsx replace it with the same markup and classes a moment later
 * (e2e/first-paint.spec.ts compares them). Contains no personal data.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Plugin } from 'vite';
import { scopedClass } from './class-names.ts';

const LANGUAGES = { en: 'Haris', ar: 'حارس' } as const;
type Language = keyof typeof LANGUAGES;

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

const STYLES = {
  shell: '../src/app/shell.module.css',
  header: '../src/app/header.module.css',
  action: '../src/ui/action.module.css',
  screen: '../src/features/dashboard/frame/screen.module.css',
  rail: '../src/app/shell/rail.module.css',
  bar: '../src/app/shell/bar.module.css',
  top: '../src/features/dashboard/frame/top.module.css',
  glance: '../src/features/dashboard/frame/glance.module.css',
} as const;

/** `class` attribute with the class names of the built page. Throws if the style sheet lacks a class. */
function classes(...names: `${keyof typeof STYLES}.${string}`[]): string {
  const scoped = names.map((name) => {
    const [sheet = '', local = ''] = name.split('.');
    const file = STYLES[sheet as keyof typeof STYLES];
    if (!new RegExp(`\\.${local}\\b`).test(read(file))) throw new Error(`${file} has no class ${local}`);
    return scopedClass(local, fileURLToPath(new URL(file, import.meta.url)));
  });
  return `class="${scoped.join(' ')}"`;
}

/** Returns a function that looks up a text such as `shell.nav.about` and throws if it is missing. */
function textsOf(language: Language) {
  const files = new Map<string, unknown>();
  return (name: string): string => {
    const [file = '', ...path] = name.split('.');
    if (!files.has(file)) files.set(file, JSON.parse(read(`../src/i18n/${language}/${file}.json`)));
    const found = path.reduce<unknown>(
      (texts, key) => (texts as Record<string, unknown>)?.[key],
      files.get(file),
    );
    if (typeof found !== 'string') throw new Error(`There is no text ${name} in ${language}`);
    return found.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  };
}

async function icons() {
  const { IconLanguage, IconShieldLock } = await import('@tabler/icons-react');
  const paint = (icon: typeof IconLanguage, size: number) =>
    renderToStaticMarkup(createElement(icon, { size, 'aria-hidden': true }));
  return { language: paint(IconLanguage, 18), staff: paint(IconShieldLock, 18) };
}

/** Frame in one language; buttons are disabled until code handles them. */
function frameOf(language: Language, icon: Awaited<ReturnType<typeof icons>>): string {
  const text = textsOf(language);
  const other = language === 'ar' ? 'en' : 'ar';
  const logo = read('../public/favicon.svg').replace(
    '<svg ',
    '<svg width="32" height="32" aria-hidden="true" ',
  );
  const action = (look: string, size: string) => `data-look="${look}" data-size="${size}"`;
  const figure = (name: string) => `<button type="button" disabled ${classes('glance.figure')}>
    <span ${classes('glance.value')}><span ${classes('top.waiting', 'glance.awaited')}></span></span>
    <span ${classes('glance.label')}>${text(`dashboard.glance.${name}`)}</span></button>`;
  return `<template data-frame="/adminDashboard" lang="${language}"><div ${classes('shell.shell')} aria-busy="true">
    <a ${classes('shell.skip')} href="#screen">${text('shell.skipToContent')}</a>
    <aside ${classes('shell.demo')}><strong>${text('shell.demo')}</strong><span>${text('shell.demoText')}</span></aside>
    <header ${classes('header.header')} data-slim="true"><div ${classes('header.inner')} data-wide="true">
      <a href="/" ${classes('header.brand')} aria-label="${text('shell.home')}">${logo}
        <span aria-hidden="true">${LANGUAGES[language]}</span></a>
      <div ${classes('header.tools')}>
        <button disabled ${classes('action.action', 'header.language')} ${action('quiet', 'regular')} aria-label="${text('shell.switchLanguage')}" lang="${other}">
          ${icon.language}<span ${classes('action.text')}>${text('shell.language')}</span></button>
        <div ${classes('header.wideOnly')}><button disabled ${classes('action.action')} ${action('quiet', 'square')} aria-label="${text('shell.appearance.title')}"><svg width="20" height="20" aria-hidden="true"></svg></button></div>
        <a href="/adminPreLogin" ${classes('action.action', 'header.wideOnly')} ${action('plain', 'regular')}>
          ${icon.staff}<span ${classes('action.text')}><bdi>${text('shell.admin')}</bdi></span></a>
        <div ${classes('header.account')}></div>
      </div></div></header>
    <div ${classes('shell.body')}><div data-rail ${classes('rail.rail')}></div>
    <div ${classes('shell.column')}><main id="screen" ${classes('shell.main')} tabindex="-1">
      <div ${classes('screen.content')}>
        <p role="status" ${classes('top.spoken')}>${text('common.loading')}</p>
        <div ${classes('top.top')}><h1 ${classes('top.title')}>${text('dashboard.title')}</h1>
          <div ${classes('top.line')}></div>
          <div ${classes('top.actions')}><span ${classes('top.waiting', 'top.button')}></span></div></div>
        <section ${classes('glance.glance')} aria-label="${text('dashboard.glance.label')}">
          ${['inside', 'dueSoon', 'overTime'].map(figure).join('')}</section>
        <div data-rooms ${classes('screen.rooms')}></div>
        <div ${classes('screen.columns')}></div>
      </div></main></div></div><div ${classes('bar.bar')} data-nav-bar></div></div></template>`
    .replace(/>\s+</g, '><')
    .replace(/\s+/g, ' ');
}

/** Plugin that adds a frame in each language after `#root`; only in builds. */
export function staticFrame(): Plugin {
  return {
    name: 'haris-static-frame',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler(html) {
        const icon = await icons();
        const frames = (Object.keys(LANGUAGES) as Language[]).map((language) => frameOf(language, icon));
        return html.replace('</body>', `${frames.join('')}</body>`);
      },
    },
  };
}
