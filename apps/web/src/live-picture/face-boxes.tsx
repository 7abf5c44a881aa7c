/** Named boxes over staff's pictures: words of the page, so that Arabic names stand as they should. */
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './live-picture.module.css';
import type { Faces } from './use-live-stream.ts';

const percent = (part: number): string => `${part * 100}%`;

/** Nearer to the upper edge than this part of the picture there is no room for a name above a face. */
const NO_ROOM_ABOVE = 0.08;

function placeOfFace([x, y, width, height]: Faces[number]['box']): CSSProperties {
  return { left: percent(x), top: percent(y), width: percent(width), height: percent(height) };
}

/**
 * Where a name stands: over the middle of its face, and at the edges of the picture moved in by the part of its own width
 * that the middle is of the picture's, so that none is cut off.
 */
function placeOfName([x, y, width, height]: Faces[number]['box']): CSSProperties {
  const middle = Math.min(1, Math.max(0, x + width / 2));
  const isBelow = y < NO_ROOM_ABOVE;
  return {
    left: percent(middle),
    top: percent(isBelow ? y + height : y),
    translate: `${percent(-middle)} ${isBelow ? '3px' : 'calc(-100% - 3px)'}`,
  };
}

/** Where a face is in a picture does not turn round with the language: left and top, not start and end. */
export function FaceBoxes({ faces }: { faces: Faces }) {
  const { t, i18n } = useTranslation('live-picture');
  if (faces.length === 0) return null;
  return (
    <ul className={styles.faces} aria-label={t('faces')}>
      {faces.map(({ box, childId, name, kind }, index) => (
        <li key={childId ?? `${kind} ${index}`} data-kind={kind}>
          <span className={styles.face} style={placeOfFace(box)} />
          <span className={styles.name} style={placeOfName(box)} dir={i18n.dir()}>
            <bdi>{name ?? t('unknown')}</bdi>
            {kind === 'guardian' || kind === 'staff' ? (
              <span className={styles.role}>{t(`roles.${kind}`)}</span>
            ) : null}
          </span>
        </li>
      ))}
    </ul>
  );
}
