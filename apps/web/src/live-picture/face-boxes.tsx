/** Named boxes over staff's pictures: words of the page, so that Arabic names stand as they should. */
import { useTranslation } from 'react-i18next';
import styles from './live-picture.module.css';
import type { Faces } from './use-live-stream.ts';

const percent = (part: number): string => `${part * 100}%`;

/** Where a face is in a picture does not turn round with the language: left and top, not start and end. */
export function FaceBoxes({ faces }: { faces: Faces }) {
  const { t } = useTranslation('live-picture');
  if (faces.length === 0) return null;
  return (
    <ul className={styles.faces} aria-label={t('faces')}>
      {faces.map(({ box: [x, y, width, height], childId, name, kind }, index) => (
        <li
          key={childId ?? `unknown ${index}`}
          className={styles.face}
          data-kind={kind}
          style={{ left: percent(x), top: percent(y), width: percent(width), height: percent(height) }}
        >
          <bdi className={styles.name} data-below={y < 0.08 || undefined}>
            {name ?? t('unknown')}
          </bdi>
        </li>
      ))}
    </ul>
  );
}
