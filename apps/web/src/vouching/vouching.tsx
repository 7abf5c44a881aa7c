/** Vouching for an account at the desk: how it was registered, and the parent's code or a mailed link (contract §6). */

import { sixDigitsSchema } from '@haris/contract/fields';
import { accountRoutes } from '@haris/contract/http/accounts';
import { type Registration, vouchingRoutes } from '@haris/contract/http/vouching';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../calls/api-error.ts';
import { failureText, localizeSentence, showFailure } from '../calls/failure.ts';
import { call } from '../calls/http.ts';
import { keys, refetchStale } from '../calls/query-client.ts';
import { FamilyLink } from '../child/child-link.tsx';
import { momentFormat } from '../i18n/locale.ts';
import { useMay } from '../session/may.ts';
import { MailNote, useSendsMail } from '../setup/mail-note.tsx';
import { notifyBlank, notifySuccess } from '../ui/toast.ts';

/** How a parent's account was registered; fetched while `enabled`. */
export function useRegistration(parentId: string, enabled: boolean) {
  const maySee = useMay()('families.view');
  return useQuery({
    queryKey: [keys.parents, 'registration', parentId],
    queryFn: ({ signal }) => call(vouchingRoutes.getRegistration, { params: { id: parentId }, signal }),
    select: ({ registration }) => registration,
    enabled: enabled && maySee,
  });
}

/** Whether staff should vouch for the account before they add a child to it. */
export function wantsVouching(registration: Registration): boolean {
  return registration.by === 'self' && (registration.vouchedAt === null || registration.disownedAt !== null);
}

/** Time and approximate place of the registration, in a sentence. */
function RegistrationText({ registration }: { registration: Registration }) {
  const { t, i18n } = useTranslation('vouching');
  const at = momentFormat(i18n.language, { dateStyle: 'long', timeStyle: 'short' });
  const facts = { name: `\u2068${registration.name}\u2069`, at: at.format(new Date(registration.at)) };
  const { near } = registration;
  return (
    <>
      <Text>
        {near === null ? t('madeWhen', facts) : t(near === 'here' ? 'madeHere' : 'madeElsewhere', facts)}
      </Text>
      {registration.disownedAt === null ? null : (
        <Text fw={600} c="clay">
          {t('disowned')}
        </Text>
      )}
    </>
  );
}

export interface VouchingProps {
  parentId: string;
  registration: Registration;
  onDone: () => void;
}

export function Vouching({ parentId, registration, onDone }: VouchingProps) {
  const { t } = useTranslation('vouching');
  const client = useQueryClient();
  const sendsMail = useSendsMail();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const vouch = useMutation({
    mutationFn: (given: string | null) =>
      call(accountRoutes.markParentVerified, {
        params: { id: parentId },
        body: given === null ? {} : { code: given },
      }),
    onSuccess: async (_answer, given) => {
      if (given !== null) notifySuccess(t('done'));
      else if (sendsMail) notifySuccess(t('linkSent'));
      else notifyBlank(t('linkKept'));
      await refetchStale(client, [keys.parents]);
      onDone();
    },
    onError: (error, given) => {
      if (given !== null && error instanceof ApiError && error.status === 400) setProblem(failureText(error));
      else showFailure(error);
    },
  });
  const submit = () => {
    const checked = sixDigitsSchema.safeParse(code);
    if (checked.success) vouch.mutate(checked.data);
    else setProblem(localizeSentence(checked.error.issues[0]?.message ?? ''));
  };
  if (registration.disownedAt !== null)
    return (
      <Stack gap="sm">
        <RegistrationText registration={registration} />
        <Text size="sm">{t(sendsMail ? 'disownedWhat' : 'disownedWhatKept')}</Text>
        <Text size="sm">
          <FamilyLink id={parentId}>{t('disownedSheet')}</FamilyLink>
        </Text>
        <MailNote to="staff" />
        <Button variant="default" loading={vouch.isPending} onClick={() => vouch.mutate(null)}>
          {t(sendsMail ? 'disownedSend' : 'disownedSendKept')}
        </Button>
      </Stack>
    );
  return (
    <Stack gap="sm">
      <RegistrationText registration={registration} />
      <Text size="sm">{t('ask')}</Text>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Group align="flex-start" gap="sm">
          <TextInput
            label={t('codeField')}
            inputMode="numeric"
            autoComplete="off"
            dir="ltr"
            maxLength={12}
            value={code}
            error={problem}
            flex="1 1 7rem"
            data-autofocus
            onChange={(event) => {
              setCode(event.currentTarget.value);
              setProblem(null);
            }}
          />
          <Button type="submit" mt="1.75rem" loading={vouch.isPending}>
            {t('confirm')}
          </Button>
        </Group>
      </form>
      <Text size="sm">{t(sendsMail ? 'noPhone' : 'noPhoneKept')}</Text>
      <MailNote to="staff" />
      <Button variant="default" loading={vouch.isPending} onClick={() => vouch.mutate(null)}>
        {t(sendsMail ? 'sendLink' : 'sendLinkKept')}
      </Button>
    </Stack>
  );
}
