/** Asks for a second factor: a passkey, a code of an app or a mail, or a recovery code. For signing in and for proofs. */
import { sixDigitsSchema } from '@haris/contract/fields';
import { recoveryCodeSchema, type SecondStepBody, type SecondStepMethod } from '@haris/contract/http/factors';
import { Alert, Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../calls/failure.ts';
import { useSendsMail } from '../setup/mail-note.tsx';
import { PasskeyNote } from './passkey-note.tsx';
import { hasPasskeys, PasskeyCancelled, signWithPasskey } from './passkeys.ts';

export type FactorAnswer = Omit<SecondStepBody, 'challenge'>;

export interface FactorFormProps {
  /** Methods of this account, the best first. */
  methods: readonly SecondStepMethod[];
  /** The server's options for a passkey; undefined without one. */
  passkey: Record<string, unknown> | undefined;
  /** Sends the answer. Rejects if it is refused. */
  send: (answer: FactorAnswer) => Promise<unknown>;
  submitLabel: string;
  onCancel: () => void;
  cancelLabel: string;
}

export function FactorForm({ methods, passkey, send, submitLabel, onCancel, cancelLabel }: FactorFormProps) {
  const { t } = useTranslation('security');
  const usable = methods.filter((method) => method !== 'passkey' || (passkey !== undefined && hasPasskeys()));
  const [method, setMethod] = useState<SecondStepMethod | undefined>(usable[0]);
  const others = usable.filter((one) => one !== method);
  if (method === undefined)
    return (
      <Stack>
        <Alert color="saffron" role="note">
          {t('ask.unusable')}
        </Alert>
        {methods.includes('passkey') ? <PasskeyNote /> : null}
        <Button variant="default" onClick={onCancel}>
          {cancelLabel}
        </Button>
      </Stack>
    );
  const buttons = { submitLabel, cancelLabel, onCancel, send };
  return (
    <Stack>
      {method === 'passkey' && passkey !== undefined ? (
        <PasskeyStep options={passkey} {...buttons} />
      ) : (
        // A new field for each method, so that nothing typed for one is sent as another.
        <CodeStep key={method} method={method === 'passkey' ? 'app' : method} {...buttons} />
      )}
      {others.length === 0 ? null : (
        <Group gap="md">
          {others.map((one) => (
            <Anchor key={one} component="button" type="button" size="sm" onClick={() => setMethod(one)}>
              {t(`ask.use.${one}`)}
            </Anchor>
          ))}
        </Group>
      )}
    </Stack>
  );
}

type StepProps = Pick<FactorFormProps, 'send' | 'submitLabel' | 'onCancel' | 'cancelLabel'>;

function PasskeyStep({
  options,
  send,
  cancelLabel,
  onCancel,
}: StepProps & { options: Record<string, unknown> }) {
  const { t } = useTranslation('security');
  const sign = useMutation({
    mutationFn: async () => send({ passkey: await signWithPasskey(options) }),
  });
  return (
    <>
      <Text>{t('ask.passkey')}</Text>
      {sign.isError ? (
        <Alert color="clay" role="alert">
          {sign.error instanceof PasskeyCancelled ? t('ask.cancelled') : failureText(sign.error)}
        </Alert>
      ) : null}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onCancel} disabled={sign.isPending}>
          {cancelLabel}
        </Button>
        <Button
          data-autofocus
          loading={sign.isPending}
          leftSection={<IconFingerprint size={20} aria-hidden />}
          onClick={() => sign.mutate()}
        >
          {t('ask.usePasskey')}
        </Button>
      </Group>
    </>
  );
}

function CodeStep({
  method,
  send,
  submitLabel,
  cancelLabel,
  onCancel,
}: StepProps & { method: Exclude<SecondStepMethod, 'passkey'> }) {
  const { t } = useTranslation('security');
  const sendsMail = useSendsMail();
  const wording = method === 'mail' && !sendsMail ? 'mailKept' : method;
  const [typed, setTyped] = useState('');
  const [isInvalid, setInvalid] = useState(false);
  const hint = useId();
  const give = useMutation({ mutationFn: (answer: FactorAnswer) => send(answer) });
  const isRecovery = method === 'recovery';
  function submit(): void {
    const parsed = (isRecovery ? recoveryCodeSchema : sixDigitsSchema).safeParse(typed);
    setInvalid(!parsed.success);
    if (!parsed.success || give.isPending) return;
    const field = { app: 'code', mail: 'mailCode', recovery: 'recoveryCode' } as const;
    give.mutate({ [field[method]]: parsed.data });
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack>
        <Text id={hint}>{t(`ask.hint.${wording}`)}</Text>
        <TextInput
          label={t(`ask.field.${wording}`)}
          aria-describedby={hint}
          data-autofocus
          dir="ltr"
          autoComplete="one-time-code"
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={20}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setInvalid(false);
            if (give.isError) give.reset();
          }}
          error={
            isInvalid
              ? t(isRecovery ? 'ask.notARecoveryCode' : 'ask.notSixDigits')
              : give.isError
                ? failureText(give.error)
                : null
          }
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel} disabled={give.isPending}>
            {cancelLabel}
          </Button>
          <Button type="submit" loading={give.isPending}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
