/** A child's care log as its family reads it, with a signature below each accident and medicine. */
import type { CareSignature } from '@haris/contract/care-log';
import type { CareLogEntry } from '@haris/contract/http/care-log';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconSignature } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSign } from '../../../care-log/queries.ts';
import { SignaturePad } from '../../../care-log/signature-pad.tsx';
import { WholeLog } from '../../../care-log/whole-log.tsx';
import { useEntryWords } from '../../../care-log/words.ts';

export function SignableLog({ childId }: { childId: string }) {
  const { t } = useTranslation('care-log');
  const wordsOf = useEntryWords();
  const [signing, setSigning] = useState<string | null>(null);
  return (
    <WholeLog
      childId={childId}
      isFamily
      renderAction={(entry) => {
        const isOpen = entry.asksSignature && entry.acknowledged === null && entry.correctedBy === null;
        if (!isOpen || entry.entry === null) return null;
        if (signing === entry._id) return <SignForm entry={entry} onDone={() => setSigning(null)} />;
        return (
          <div>
            <Button
              mt={4}
              size="sm"
              leftSection={<IconSignature size={18} aria-hidden />}
              aria-label={t('sign.openOf', { entry: wordsOf(entry.entry).title })}
              onClick={() => setSigning(entry._id)}
            >
              {t('sign.open')}
            </Button>
          </div>
        );
      }}
    />
  );
}

function SignForm({ entry, onDone }: { entry: CareLogEntry; onDone: () => void }) {
  const { t } = useTranslation(['care-log', 'common']);
  const [path, setPath] = useState('');
  const [name, setName] = useState('');
  const [isMissing, setMissing] = useState(false);
  const sign = useSign(entry, onDone);
  function submit(event: FormEvent) {
    event.preventDefault();
    const typed = name.trim();
    if (sign.isPending) return;
    if (typed === '' && path === '') return setMissing(true);
    const signature: CareSignature = typed === '' ? { kind: 'drawn', path } : { kind: 'typed', name: typed };
    sign.mutate(signature);
  }
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="xs" mt="xs">
        <Text size="sm">{t('sign.hint')}</Text>
        <SignaturePad
          path={path}
          onChange={(next) => {
            setPath(next);
            setMissing(false);
          }}
        />
        <TextInput
          label={t('sign.name')}
          autoComplete="name"
          maxLength={100}
          dir="auto"
          value={name}
          error={isMissing ? t('sign.missing') : null}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value);
            setMissing(false);
          }}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={sign.isPending} onClick={onDone}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={sign.isPending}>
            {t('sign.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
