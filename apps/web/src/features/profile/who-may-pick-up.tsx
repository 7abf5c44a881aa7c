/** Who may pick up each child besides the parent, with a one-time pass for each of them. */
import type { Child } from '@haris/contract/objects';
import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CollectorList } from '../../collectors/collector-list.tsx';
import { Card } from '../../ui/card.tsx';
import { useNear } from '../../ui/use-near.ts';
import { PassButton } from './pass-button.tsx';
import styles from './pickup.module.css';

/** A family with more children reads their lists as they come near. */
const READ_AT_ONCE = 6;

/** Whether the guardian may not take the child, and so reads of those whom it has named alone. */
const isLimited = ({ mayTake }: Child) => mayTake === false;

/** One card per child, in the given order. */
export function WhoMayPickUp({ family }: { family: readonly Child[] }) {
  const { t } = useTranslation('collectors');
  return (
    <section className={styles.who}>
      <Title order={2} fz="lg">
        {t('title')}
      </Title>
      {family.every(isLimited) ? null : (
        <Text size="sm" c="dimmed" mb="sm">
          {t('hint')}
        </Text>
      )}
      <div className={styles.cards}>
        {family.map((child) => (
          <CardOfChild
            key={child._id}
            child={child}
            isOneOfSeveral={family.length > 1}
            isAwaited={family.length <= READ_AT_ONCE}
          />
        ))}
      </div>
    </section>
  );
}

interface CardOfChildProps {
  child: Child;
  isOneOfSeveral: boolean;
  /** The list is read at once, else once its card comes near. */
  isAwaited: boolean;
}

function CardOfChild({ child, isOneOfSeveral, isAwaited }: CardOfChildProps) {
  const { t } = useTranslation('collectors');
  const { ref, isNear } = useNear();
  return (
    <Card p="md" ref={ref}>
      {isOneOfSeveral ? (
        <Title order={3} fz="md" className={styles.name}>
          {t('titleOf', { name: child.name })}
        </Title>
      ) : null}
      {isLimited(child) ? (
        <Text size="sm" c="dimmed" mb="xs">
          {t('ownOnly', { name: child.name })}
        </Text>
      ) : null}
      {isAwaited || isNear ? (
        <CollectorList
          child={child}
          mayEdit
          renderPass={(collector) => <PassButton child={child.name} collector={collector} />}
        />
      ) : (
        <div className={styles.awaited} />
      )}
    </Card>
  );
}
