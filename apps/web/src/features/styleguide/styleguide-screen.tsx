/**
 * `/styleguide`, in development only: every component in every state, in both schemes and both directions. Its own
 * texts are not translated; the samples are in the language of their direction.
 */
import { DirectionProvider, MantineProvider } from '@mantine/core';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { i18n } from '../../i18n/i18n.ts';
import { useDocumentTitle } from '../../ui/document-title.ts';
import { cssVariables, theme } from '../../ui/theme.ts';
import { Pieces } from './pieces.tsx';
import styles from './styleguide.module.css';

const FRAMES = (['light', 'dark'] as const).flatMap((scheme) =>
  (['ltr', 'rtl'] as const).map((dir) => ({ scheme, dir })),
);

/** Shows one scheme and one direction in a frame, because both apply to a whole document. */
function Panel({ scheme, dir }: { scheme: 'light' | 'dark'; dir: 'ltr' | 'rtl' }) {
  useEffect(() => {
    void i18n.changeLanguage(dir === 'rtl' ? 'ar' : 'en');
  }, [dir]);
  return (
    <DirectionProvider initialDirection={dir}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} forceColorScheme={scheme}>
        <Pieces isArabic={dir === 'rtl'} />
      </MantineProvider>
    </DirectionProvider>
  );
}

export default function StyleguideScreen() {
  useDocumentTitle('Styleguide');
  const [query] = useSearchParams();
  const wanted = FRAMES.find(({ scheme, dir }) => query.get('scheme') === scheme && query.get('dir') === dir);
  if (wanted !== undefined) return <Panel {...wanted} />;
  return (
    <div className={styles.frames}>
      <h1>Styleguide</h1>
      {FRAMES.map(({ scheme, dir }) => (
        <figure key={scheme + dir}>
          <figcaption>
            <a href={`/styleguide?scheme=${scheme}&dir=${dir}`}>
              {scheme}, {dir}
            </a>
          </figcaption>
          <iframe title={`${scheme}, ${dir}`} src={`/styleguide?scheme=${scheme}&dir=${dir}`} />
        </figure>
      ))}
    </div>
  );
}
