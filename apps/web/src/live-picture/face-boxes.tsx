/** Named boxes over the pictures of staff; drawn as HTML, so that Arabic names render correctly. */
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './live-picture.module.css';
import type { Faces } from './use-live-stream.ts';

const percent = (part: number): string => `${part * 100}%`;

/** Faces closer to the upper edge, as a fraction of the picture's height, have their name below. */
const NO_ROOM_ABOVE = 0.08;

function placeOfFace([x, y, width, height]: Faces[number]['box']): CSSProperties {
  return { left: percent(x), top: percent(y), width: percent(width), height: percent(height) };
}

/**
 * Centres a name on its face, shifted towards the middle of the picture so that an edge never cuts it off: the shift is
 * the fraction of the name's width at which the face lies in the picture.
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

/** Uses left and top, not start and end, because the picture is not mirrored in Arabic. */
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
