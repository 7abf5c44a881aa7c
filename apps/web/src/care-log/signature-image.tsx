/** A signature that was given: its strokes, or the typed name. */
import { type CareSignature, SIGNATURE_HEIGHT, SIGNATURE_WIDTH } from '@haris/contract/care-log';
import { useTranslation } from 'react-i18next';
import classes from './care-log.module.css';

export function SignatureImage({ signature }: { signature: CareSignature | null }) {
  const { t } = useTranslation('care-log');
  if (signature === null) return <span>{t('sign.unreadable')}</span>;
  if (signature.kind === 'typed')
    return (
      <span className={classes.typed}>
        <bdi>{signature.name}</bdi>
      </span>
    );
  return (
    <svg
      className={classes.signature}
      viewBox={`0 0 ${SIGNATURE_WIDTH} ${SIGNATURE_HEIGHT}`}
      role="img"
      aria-label={t('sign.image')}
    >
      <path d={signature.path} />
    </svg>
  );
}
