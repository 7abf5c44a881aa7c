/**
 * What is seen of the dashboard before any of the app's code has come: the header, the name of the screen and its figures
 * without a value, in the page itself, for public/boot.js to show. It stands where src/app/header.tsx and
 * src/features/dashboard/dashboard-frame.tsx draw the same a moment later, in the classes of their style sheets
 * (e2e/first-paint.spec.ts compares them). Says nothing of anybody.
 */
import { readFileSync } from 'node:fs';
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
  screen: '../src/features/dashboard/screen.module.css',
  sidebar: '../src/features/dashboard/sidebar.module.css',
  top: '../src/features/dashboard/top.module.css',
  glance: '../src/features/dashboard/glance.module.css',
} as const;

/** `class` with the names that the style sheets have in the built page. Throws for one that none of them has. */
function classes(...names: `${keyof typeof STYLES}.${string}`[]): string {
  const scoped = names.map((name) => {
    const [sheet = '', local = ''] = name.split('.');
    const file = STYLES[sheet as keyof typeof STYLES];
    if (!new RegExp(`\\.${local}\\b`).test(read(file))) throw new Error(`${file} has no class ${local}`);
    return scopedClass(local, file);
  });
  return `class="${scoped.join(' ')}"`;
}

/** Looks a text up: `shell.nav.about`. Throws where there is none. */
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
  const { IconLanguage, IconMenu2, IconShieldLock } = await import('@tabler/icons-react');
  const paint = (icon: typeof IconLanguage, size: number) =>
    renderToStaticMarkup(createElement(icon, { size, 'aria-hidden': true }));
  return { language: paint(IconLanguage, 18), menu: paint(IconMenu2, 24), staff: paint(IconShieldLock, 18) };
}

const ANCHORS = ['about', 'features', 'pricing', 'contact'];

/** Buttons are disabled until there is code that hears of a press. */
function frameOf(language: Language, icon: Awaited<ReturnType<typeof icons>>): string {
  const text = textsOf(language);
  const other = language === 'ar' ? 'en' : 'ar';
  const logo = read('../public/favicon.svg').replace(
    '<svg ',
    '<svg width="36" height="36" aria-hidden="true" ',
  );
  const action = (look: string, size: string) => `data-look="${look}" data-size="${size}"`;
  const figure = (name: string) => `<div ${classes('glance.figure')}>
    <dt ${classes('glance.label')}>${text(`dashboard.glance.${name}`)}</dt>
    <dd ${classes('glance.value')}><span ${classes('top.waiting', 'glance.awaited')}></span></dd></div>`;
  return `<template data-frame="/adminDashboard" lang="${language}"><div ${classes('shell.shell')} aria-busy="true">
    <a ${classes('shell.skip')} href="#screen">${text('shell.skipToContent')}</a>
    <aside ${classes('shell.demo')}><strong>${text('shell.demo')}</strong><span>${text('shell.demoText')}</span></aside>
    <header ${classes('header.header')}><div ${classes('header.inner')}>
      <a href="/" ${classes('header.brand')} aria-label="${text('shell.home')}">${logo}
        <span aria-hidden="true">${LANGUAGES[language]}</span></a>
      <nav ${classes('header.anchors')} aria-label="${text('shell.nav.label')}">
        ${ANCHORS.map((name) => `<a ${classes('header.anchor')} href="/overview#${name}-section">${text(`shell.nav.${name}`)}</a>`).join('')}</nav>
      <div ${classes('header.tools')}>
        <button disabled ${classes('action.action')} ${action('quiet', 'regular')} aria-label="${text('shell.switchLanguage')}" lang="${other}">
          ${icon.language}<span ${classes('action.text')}>${text('shell.language')}</span></button>
        <div ${classes('header.wideOnly')}><button disabled ${classes('action.action')} ${action('quiet', 'square')} aria-label="${text('shell.appearance.title')}"><svg width="20" height="20" aria-hidden="true"></svg></button></div>
        <a href="/adminPreLogin" ${classes('action.action', 'header.wideOnly')} ${action('plain', 'regular')}>
          ${icon.staff}<span ${classes('action.text')}><bdi>${text('shell.admin')}</bdi></span></a>
        <button disabled ${classes('action.action', 'header.narrowOnly')} ${action('quiet', 'square')} aria-label="${text('shell.menu.open')}">${icon.menu}</button>
      </div></div></header>
    <main id="screen" ${classes('shell.main')} tabindex="-1"><div ${classes('screen.frame')}>
      <div data-rail ${classes('sidebar.rail')}></div>
      <div ${classes('screen.content')}>
        <p role="status" ${classes('top.spoken')}>${text('common.loading')}</p>
        <div ${classes('top.top')}><h1 ${classes('top.title')}>${text('dashboard.title')}</h1>
          <div ${classes('top.actions')}><span ${classes('top.waiting', 'top.button')}></span></div></div>
        <dl ${classes('glance.glance')} aria-label="${text('dashboard.glance.label')}">
          ${['inside', 'dueSoon', 'overTime'].map(figure).join('')}</dl>
        <div ${classes('screen.columns')}></div>
      </div></div></main></div></template>`
    .replace(/>\s+</g, '><')
    .replace(/\s+/g, ' ');
}

/** Puts a frame in each language behind `#root`. The development server does without. */
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
