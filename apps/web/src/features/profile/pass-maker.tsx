/** Creates a pass for a day, and hands its link to the phone's way to share. The link is shown once. */
import { type Collector, collectorRoutes } from '@haris/contract/http/collectors';
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconCopy, IconShare2 } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../calls/api-error.ts';
import { fieldErrors, showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { today, useDayFormat } from '../../collectors/days.ts';
import { refreshCollectors } from '../../collectors/queries.ts';
import { type FormProblems, useCallForm } from '../../forms/use-call-form.ts';
import { isOnThisMachineOnly } from '../../setup/queries.ts';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { notifyError, notifySuccess } from '../../ui/toast.ts';
import styles from './pickup.module.css';

interface Pass {
  readonly token: string;
  readonly day: string;
}

export interface PassMakerProps {
  /** Name of the child. */
  child: string;
  collector: Collector;
  onDone: () => void;
}

export function PassMaker(props: PassMakerProps) {
  const [pass, setPass] = useState<Pass | null>(null);
  return pass === null ? <PassForm {...props} onCreated={setPass} /> : <ReadyPass {...props} pass={pass} />;
}

function PassForm({
  child,
  collector,
  onDone,
  onCreated,
}: PassMakerProps & { onCreated: (pass: Pass) => void }) {
  const { t } = useTranslation(['collectors', 'common']);
  const client = useQueryClient();
  const dayText = useDayFormat();
  const { _id, name, passDay } = collector;
  const { form, onSubmit, isBusy } = useCallForm({
    initialValues: { day: today() },
    validate: ({ day }): FormProblems => (day < today() ? { day: t('pass.dayPast') } : {}),
    send: ({ day }) => call(collectorRoutes.createCollectorPass, { params: { id: _id }, body: { day } }),
    onSuccess: (pass) => {
      void refreshCollectors(client);
      onCreated(pass);
    },
    onFailure: (error) => {
      if (error instanceof ApiError && error.code === 'collector_not_listed')
        return { day: t('pass.notListed', { name }) };
      showFailure(error);
      return fieldErrors(error);
    },
  });
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <Text>{t('pass.lead', { name, child })}</Text>
        {passDay === null ? null : <Text size="sm">{t('pass.leadAgain', { date: dayText(passDay) })}</Text>}
        <TextInput
          type="date"
          label={t('pass.day')}
          min={today()}
          data-autofocus
          autoComplete="off"
          key={form.key('day')}
          {...form.getInputProps('day')}
        />
        <FormButtons
          cancel={t('common:cancel')}
          submit={t('pass.create')}
          onCancel={onDone}
          isBusy={isBusy}
        />
      </Stack>
    </form>
  );
}

function ReadyPass({ child, collector: { name }, pass, onDone }: PassMakerProps & { pass: Pass }) {
  const { t } = useTranslation('collectors');
  const dayText = useDayFormat();
  const field = useRef<HTMLInputElement>(null);
  // In the fragment, which browsers send to no server.
  const link = `${location.origin}/pass#${pass.token}`;
  const title = t('pass.shareTitle', { child });
  const share = async () => {
    try {
      await navigator.share({ title, url: link });
    } catch {
      // The person has closed the phone's dialog.
    }
  };
  const copy = async () => {
    try {
      // Without HTTPS there is no clipboard.
      await navigator.clipboard.writeText(link);
      notifySuccess(t('pass.copied'));
    } catch {
      field.current?.select();
      notifyError(t('pass.copyFailed'));
    }
  };
  return (
    <Stack gap="md">
      <Text>{t('pass.ready', { name, date: dayText(pass.day) })}</Text>
      <QrCode text={link} label={t('pass.qr')} className={styles.qr} />
      <TextInput
        ref={field}
        label={t('pass.link')}
        dir="ltr"
        readOnly
        value={link}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      {isOnThisMachineOnly() ? (
        <Alert color="saffron" variant="light" role="note" icon={<IconAlertTriangle size={20} aria-hidden />}>
          {t('pass.onlyHere')}
        </Alert>
      ) : null}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onDone}>
          {t('pass.done')}
        </Button>
        {typeof navigator.share === 'function' ? (
          <Button
            data-autofocus
            leftSection={<IconShare2 size={18} aria-hidden />}
            onClick={() => void share()}
          >
            {t('pass.share')}
          </Button>
        ) : (
          <Button data-autofocus leftSection={<IconCopy size={18} aria-hidden />} onClick={() => void copy()}>
            {t('pass.copy')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
