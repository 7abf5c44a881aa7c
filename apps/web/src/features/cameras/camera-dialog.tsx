/** Adds or changes a camera: name, area, kind and address. */
import { CAMERA_KINDS, type Camera, cameraRoutes, findAddressProblem } from '@haris/contract/http/cameras';
import { Alert, Radio, Stack, TextInput } from '@mantine/core';
import { IconDeviceMobile, IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { localizeSentence } from '../../calls/failure.ts';
import { type CallForm, useCallForm } from '../../forms/use-call-form.ts';
import { validateWith } from '../../forms/validation.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { type CameraInput, useSaveCamera } from './api.ts';
import styles from './cameras.module.css';

export interface CameraDialogProps {
  opened: boolean;
  onClose: () => void;
  /** The camera to change; null to add one. */
  camera: Camera | null;
  onSaved?: ((camera: Camera) => void) | undefined;
}

export function CameraDialog({ opened, onClose, camera, onSaved }: CameraDialogProps) {
  const { t } = useTranslation('cameras');
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t(camera === null ? 'form.addTitle' : 'form.editTitle')}
      size="lg"
    >
      <CameraForm onClose={onClose} camera={camera} onSaved={onSaved} />
    </Dialog>
  );
}

// A type, not an interface, because the form requires an index signature.
type Values = {
  name: string;
  area: string;
  kind: Camera['kind'];
  url: string;
};

/** Request body; a device has no address. */
function toInput({ name, area, kind, url }: Values): CameraInput {
  return kind === 'browser' ? { name, area, kind } : { name, area, kind, url: url.trim() };
}

/** Not the address: it may hold a password. */
const draftFields = { name: z.string(), area: z.string(), kind: z.enum(CAMERA_KINDS) };

const validateFields = validateWith(cameraRoutes.createCamera.body);

function validate(values: Values): Record<string, string> {
  const input = toInput(values);
  const problem = findAddressProblem(input.kind, input.url === '' ? undefined : input.url);
  const { url: _url, ...errors } = validateFields(input);
  return problem === null ? errors : { ...errors, url: localizeSentence(problem) };
}

const hints = {
  rtsp: 'rtsp://user:password@192.168.1.20:554/stream1',
  mjpeg: 'http://user:password@192.168.1.20/video.mjpg',
  v4l2: '/dev/video0',
  file: 'playroom.mp4',
} as const;

function CameraForm({ camera, onClose, onSaved }: Omit<CameraDialogProps, 'opened'>) {
  const { t } = useTranslation('cameras');
  const save = useSaveCamera(camera?._id ?? null);
  const { form, onSubmit, isBusy } = useCallForm<Values, { camera: Camera }>({
    initialValues: {
      name: camera?.name ?? '',
      area: camera?.area ?? '',
      kind: camera?.kind ?? 'rtsp',
      url: camera?.url ?? '',
    },
    draft: { key: `camera:${camera?._id ?? ''}`, fields: draftFields },
    validate,
    send: (values) => save(toInput(values)),
    onSuccess: (saved) => {
      notifySuccess(t(camera === null ? 'form.added' : 'form.changed'));
      onClose();
      onSaved?.(saved.camera);
    },
  });

  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <TextInput
          label={t('form.name')}
          description={t('form.nameHint')}
          required
          data-autofocus
          autoComplete="off"
          maxLength={100}
          dir="auto"
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('form.area')}
          description={t('form.areaHint')}
          required
          autoComplete="off"
          maxLength={100}
          dir="auto"
          key={form.key('area')}
          {...form.getInputProps('area')}
        />
        <Radio.Group size="md" label={t('form.kind')} key={form.key('kind')} {...form.getInputProps('kind')}>
          <Stack gap="sm" mt="xs">
            {CAMERA_KINDS.map((each) => (
              <Radio key={each} value={each} label={t(`kind.${each}`)} description={t(`kindHint.${each}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <Address form={form} hasCredentials={camera?.hasCredentials ?? false} />
        <FormButtons
          cancel={t('cancel')}
          submit={t(camera === null ? 'form.add' : 'form.save')}
          onCancel={onClose}
          isBusy={isBusy}
        />
      </Stack>
    </form>
  );
}

interface AddressProps {
  form: CallForm<Values>['form'];
  hasCredentials: boolean;
}

/** The source of the pictures; a paired device needs no address. */
function Address({ form, hasCredentials }: AddressProps) {
  const { t } = useTranslation('cameras');
  const kind = form.useWatchValue('kind');
  if (kind === 'browser')
    return (
      <Alert variant="light" icon={<IconDeviceMobile size={20} />}>
        {t('form.deviceHint')}
      </Alert>
    );
  return (
    <>
      <TextInput
        label={t('form.address')}
        description={
          <>
            {t(`addressHint.${kind}`)}{' '}
            <bdi dir="ltr" className={styles.code}>
              {hints[kind]}
            </bdi>
          </>
        }
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={2000}
        dir="ltr"
        key={form.key('url')}
        {...form.getInputProps('url')}
      />
      {hasCredentials ? (
        <Alert variant="light" icon={<IconInfoCircle size={20} />}>
          {t('form.credentialsKept')}
        </Alert>
      ) : null}
    </>
  );
}
