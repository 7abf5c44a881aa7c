/** The care card as it was when the list was fetched. */
import type { KeptChild } from '@haris/contract/desk-list';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CareView } from '../../care/care-view.tsx';
import styles from './kept-inside.module.css';
import { TopDialog } from './top-dialog.tsx';

export interface KeptCareCardProps {
  child: KeptChild;
  onClose: () => void;
}

export function KeptCareCard({ child: { name, card }, onClose }: KeptCareCardProps) {
  const { t } = useTranslation(['care-card', 'desk']);
  return (
    <TopDialog title={t('titleOf', { name })} onClose={onClose}>
      {(close) => (
        <>
          {card === null ? <p>{t('desk:list.cardUnreadable')}</p> : <CareView card={card} />}
          <p className={styles.below}>{t('view.kept')}</p>
          <Button mt="md" fullWidth variant="default" onClick={close}>
            {t('view.close')}
          </Button>
        </>
      )}
    </TopDialog>
  );
}
