/*
 * Runs before the first paint, as a file because the content policy forbids inline scripts. Sets language, direction
 * and colour scheme in <html>, so that the page does not switch visibly. src/i18n/i18n.ts reads the language from here;
 * src/i18n/kept-language.ts and src/app/appearance.tsx store the choices.
 */
(() => {
  const root = document.documentElement;
  const kept = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage is forbidden: use the browser's settings.
      return null;
    }
  };
  // A kiosk or desk tablet stays one, whatever address somebody opens (src/tablet/paired-device.ts).
  if (kept('haris.kiosk') !== null && !/^\/kiosk(\/|$)/.test(location.pathname)) location.replace('/kiosk');
  if (kept('haris.desk') !== null && !/^\/desk(\/|$)/.test(location.pathname)) location.replace('/desk');
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
  // If the page's own code fails to load, index.html shows a message.
  addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLScriptElement) root.dataset.failed = '';
    },
    true,
  );
  // bundling/first-files.ts lists the files in the built page; the development server has no list.
  const first = JSON.parse(document.querySelector('meta[name="haris-first"]')?.content ?? '{}');
  const { pathname } = location;
  const isHome = pathname === '/' || pathname === '/overview';
  const hasToken = kept('token') !== null;
  const names = [root.lang, ...(isHome ? ['/', `/${root.lang}`] : [])];
  // The frame of a screen comes before the screen's own code.
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
  // With a frame, wait: these files would delay the frame's style sheet and font.
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
      // Paint the frame from bundling/static-frame.ts first, then run the code that replaces it.
      const frame = document.querySelector(`template[data-frame="${pathname}"][lang="${root.lang}"]`).content;
      if (!document.querySelector('meta[name="haris-demo"]')) frame.querySelector('aside').remove();
      const isFolded = kept('haris.sidebar-folded') === 'true';
      frame.querySelector('[data-rail]').toggleAttribute('data-compact', isFolded);
      // As in src/features/dashboard/frame/rooms-folded.ts.
      const areRoomsFolded = (kept('haris.rooms-folded') ?? String(innerWidth < 768)) === 'true';
      frame.querySelector('[data-rooms]').toggleAttribute('data-folded', areRoomsFolded);
      document.getElementById('root').append(frame);
      requestAnimationFrame(() => setTimeout(start));
      // Do not wait for a paint if the page has been hidden meanwhile.
      setTimeout(start, 1000);
    });
  // zod compiles parsers with `new Function`, which the content policy reports as a violation even though zod catches it.
  globalThis.__zod_globalConfig = { jitless: true };
})();
