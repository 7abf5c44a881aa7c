/*
 * Runs before the first paint, as a file because the content policy forbids inline scripts: language, direction and
 * colour scheme stand in <html> from the start, so that nothing flips. src/i18n/i18n.ts reads the language from here;
 * src/i18n/kept-language.ts and src/app/appearance.tsx keep what is read.
 */
(() => {
  const root = document.documentElement;
  const kept = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage is forbidden: the browser decides.
      return null;
    }
  };
  const language = kept('haris.language');
  const wanted = language ? [language] : (navigator.languages ?? [navigator.language]);
  root.lang =
    wanted.map((tag) => String(tag).slice(0, 2).toLowerCase()).find((tag) => tag === 'ar' || tag === 'en') ??
    'en';
  root.dir = root.lang === 'ar' ? 'rtl' : 'ltr';
  if (root.lang === 'ar') document.querySelector('link[rel="manifest"]').href = '/manifest.ar.webmanifest';
  const scheme = kept('haris.scheme');
  const dark =
    scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  // The page's own code did not come: index.html has the words for it.
  addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLScriptElement) root.dataset.failed = '';
    },
    true,
  );
  // bundling/first-files.ts names them in the built page; the development server has none.
  const first = JSON.parse(document.querySelector('meta[name="haris-first"]')?.content ?? '{}');
  const { pathname } = location;
  const isHome = pathname === '/' || pathname === '/overview';
  const hasToken = kept('token') !== null;
  const names = [root.lang, ...(isHome ? ['/', `/${root.lang}`] : [])];
  // The frame of a screen before what fills it.
  if (hasToken) names.push(`${pathname} frame`, `${pathname} ${root.lang}`, 'token', pathname);
  const fetchFiles = () => {
    for (const href of new Set(names.flatMap((name) => first[name] ?? []))) {
      const kind = href.endsWith('.css')
        ? { rel: 'preload', as: 'style', crossOrigin: '' }
        : { rel: 'modulepreload' };
      document.head.append(Object.assign(document.createElement('link'), kind, { href }));
    }
  };
  const hasFrame = hasToken && first[`${pathname} frame`] !== undefined;
  // They would keep the frame's style sheet and font waiting.
  if (!hasFrame) fetchFiles();
  let isStarted = false;
  const start = () => {
    if (isStarted) return;
    isStarted = true;
    if (hasFrame) fetchFiles();
    const script = document.createElement('script');
    document.head.append(Object.assign(script, { type: 'module', crossOrigin: '', src: first.main }));
  };
  if (first.main)
    addEventListener('DOMContentLoaded', () => {
      if (!hasFrame || document.hidden) return start();
      // bundling/static-frame.ts wrote it. What stands there is painted first, and then the code runs that fills it.
      const frame = document.querySelector(`template[data-frame="${pathname}"][lang="${root.lang}"]`).content;
      if (!document.querySelector('meta[name="haris-demo"]')) frame.querySelector('aside').remove();
      const isFolded = kept('haris.sidebar-folded') === 'true';
      frame.querySelector('[data-rail]').toggleAttribute('data-compact', isFolded);
      document.getElementById('root').append(frame);
      requestAnimationFrame(() => setTimeout(start));
      // A page that is hidden meanwhile paints nothing.
      setTimeout(start, 1000);
    });
  // zod compiles parsers with `new Function`, which the content policy reports as a violation even though zod catches it.
  globalThis.__zod_globalConfig = { jitless: true };
})();
