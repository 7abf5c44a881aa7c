/** Second step of a sign-in, after the password or the identity provider. */
import type { SecondStep } from '@haris/contract/http/factors';
import { useTranslation } from 'react-i18next';
import { FactorForm } from '../../second-factor/factor-form.tsx';
import type { SignedIn } from '../../session/session.tsx';
import { finishLogin } from './api.ts';
import { AuthFrame } from './auth-frame.tsx';

export interface SecondStepFormProps {
  step: SecondStep;
  onDone: (signedIn: SignedIn) => void;
  onCancel: () => void;
}

export function SecondStepForm({ step, onDone, onCancel }: SecondStepFormProps) {
  const { t } = useTranslation(['auth', 'security']);
  return (
    <AuthFrame title={t('security:step.title')} lead={t('security:step.lead')}>
      <FactorForm
        methods={step.methods}
        passkey={step.passkey}
        send={async (answer) => onDone(await finishLogin(step.challenge, answer))}
        submitLabel={t('auth:login.submit')}
        cancelLabel={t('security:step.back')}
        onCancel={onCancel}
      />
    </AuthFrame>
  );
}
