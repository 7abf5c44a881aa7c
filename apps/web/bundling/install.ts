/** Makes the web app installable: icons rendered from the logo, and a manifest in each language. */
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import type { Plugin } from 'vite';

/** Colours of the manifest: background of the logo, and of the splash screen (src/ui/theme.ts, pageColors). */
const THEME = '#1f6f5c';
const PAGE = '#faf6ef';

const logo = readFileSync(new URL('../public/favicon.svg', import.meta.url), 'utf8');

/**
 * Maskable icon: a launcher may cut it to a circle of 80 % of its side, so the mark lies inside, on a full background.
 */
function maskableLogo(): string {
  const mark = logo.replace(/^[\s\S]*?<rect[^>]*>/, '').replace('</svg>', '');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" fill="${THEME}"/>
    <g transform="translate(24 24.5) scale(0.76) translate(-24 -22.5)">${mark}</g></svg>`;
}

function paint(svg: string, side: number): Promise<Buffer> {
  // Scale from the SVG's nominal 72 dpi, so that the icon is rendered at the target size and not enlarged.
  return sharp(Buffer.from(svg), { density: (72 * side) / 48 })
    .resize(side, side)
    .png()
    .toBuffer();
}

const words = {
  en: { name: 'Haris', description: 'Check-in and checkout of children, for parents and staff.' },
  ar: { name: 'حارس', description: 'دخول الأطفال وخروجهم، للأهل والموظفين.' },
};

function manifestOf(lang: keyof typeof words): string {
  const { name, description } = words[lang];
  return JSON.stringify({
    // Same id in every language, so that all manifests describe the same app.
    id: '/',
    start_url: '/',
    scope: '/',
    name,
    short_name: name,
    description,
    lang,
    dir: lang === 'ar' ? 'rtl' : 'ltr',
    display: 'standalone',
    theme_color: THEME,
    background_color: PAGE,
    categories: ['education', 'kids'],
    icons: [
      { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
    ],
  });
}

/** Plugin that adds `icons/*.png`, `manifest.webmanifest` and `manifest.ar.webmanifest` to the build. */
export function installable(): Plugin {
  return {
    name: 'haris-installable',
    apply: 'build',
    async generateBundle() {
      const files = {
        'icons/icon-192.png': await paint(logo, 192),
        'icons/icon-512.png': await paint(logo, 512),
        'icons/maskable-512.png': await paint(maskableLogo(), 512),
        // iOS rounds the corners itself and shows transparency as black.
        'icons/apple-touch-icon.png': await paint(maskableLogo(), 180),
        'manifest.webmanifest': manifestOf('en'),
        'manifest.ar.webmanifest': manifestOf('ar'),
      };
      for (const [fileName, source] of Object.entries(files))
        this.emitFile({ type: 'asset', fileName, source });
    },
  };
}
