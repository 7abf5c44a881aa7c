/** The place of the first screen after Create Account. The sentence stands there until the card has loaded. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { loadTexts, MESSAGES } from '../../i18n/i18n.ts';
import { useRegistration } from '../../session/registration.ts';
import { useSession } from '../../session/session.tsx';
import { configAnswerQuery } from '../../start/config-answer.ts';
import { startData } from '../../start/start-data.ts';
import { useLoaded } from '../../ui/load-again.ts';
import styles from './waiting.module.css';

async function loadCard() {
  await startData();
  const [{ WaitingCard }] = await Promise.all([
    import('./waiting-card.tsx'),
    import('../../ui/library-styles.ts'),
    loadTexts([...MESSAGES, 'waiting', 'vouching']),
  ]);
  return WaitingCard;
}

/** Nothing, unless somebody has registered in this tab, and nobody is signed in. */
export function Waiting() {
  const { t } = useTranslation('home');
  const { parent, admin } = useSession();
  const registration = useRegistration();
  const isShown = registration !== null && !parent.isAuthenticated && !admin.isAuthenticated;
  const Card = useLoaded(loadCard, isShown);
  // Until it is known, nothing says that a mail was sent.
  const { isPending } = useQuery(configAnswerQuery);
  if (!isShown) return null;
  return (
    <div className={styles.waiting}>
      {Card === null || isPending ? (
        <p role="status">{t('registered')}</p>
      ) : (
        <Card registration={registration} />
      )}
    </div>
  );
}
