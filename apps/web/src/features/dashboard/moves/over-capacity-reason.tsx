/** Why a room gets more children than its hard limit; for those who manage rooms. */
import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';

export interface OverCapacityReasonProps {
  reason: string;
  /** It was sent without a reason. */
  isMissing?: boolean;
  onChange: (reason: string) => void;
}

export function OverCapacityReason({ reason, isMissing = false, onChange }: OverCapacityReasonProps) {
  const { t } = useTranslation('dashboard');
  return (
    <TextInput
      label={t('move.reason')}
      description={t('move.reasonHint')}
      error={isMissing ? t('move.reasonMissing') : undefined}
      aria-required
      autoComplete="off"
      maxLength={100}
      value={reason}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
