/** The live picture of a child on its card: small, at a low rate, only while it is in sight and wanted. */
import type { Child } from '@haris/contract/objects';
import { ActionIcon, Button } from '@mantine/core';
import { useIntersection, useLocalStorage } from '@mantine/hooks';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { LiveThumbnail } from '../../live-picture/live-thumbnail.tsx';
import { Photo } from '../../photos/photo.tsx';
import styles from './child-card.module.css';

const STORAGE_KEY = 'haris.home-pictures';

/** Whether this device asked to save data; such a device gets pictures only when the parent wants them. */
function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

/** Whether the cards show live pictures; chosen on one card, it holds for all. */
function usePictures(): [boolean, (isOn: boolean) => void] {
  const [chosen, choose] = useLocalStorage<boolean | null>({
    key: STORAGE_KEY,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  return [chosen ?? !savesData(), choose];
}

export function ChildPicture({ child }: { child: Child }) {
  const { t } = useTranslation('profile');
  const [isWanted, want] = usePictures();
  const { ref, entry } = useIntersection({ rootMargin: '80px' });
  const { name } = child;
  return (
    <div ref={ref} className={styles.live}>
      <LiveThumbnail
        target={{ kind: 'child', id: child._id }}
        subject={name}
        isOn={isWanted && (entry?.isIntersecting ?? false)}
        isUnconfirmed={child.unconfirmed?.includes('photo') ?? false}
        placeholder={<Photo path={child.photo} name={name} size={112} />}
      />
      {/* Over the picture, not around it: its words change, and the link's name must not. */}
      <Link
        to="/liveFeed"
        state={{ childId: child._id }}
        className={styles.open}
        aria-label={t('picture.open', { name })}
      />
      {isWanted ? (
        <ActionIcon
          size={40}
          variant="transparent"
          className={styles.pause ?? ''}
          aria-label={t('picture.pause')}
          title={t('picture.pause')}
          onClick={() => want(false)}
        >
          <IconPlayerPause size={20} aria-hidden />
        </ActionIcon>
      ) : (
        <Button
          size="sm"
          variant="white"
          className={styles.play ?? ''}
          leftSection={<IconPlayerPlay size={18} aria-hidden />}
          onClick={() => want(true)}
        >
          {t('picture.play')}
        </Button>
      )}
    </div>
  );
}
