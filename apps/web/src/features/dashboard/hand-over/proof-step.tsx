/** How the hand-over to the chosen adult is proved. */
import { DOCUMENT_KINDS, type DocumentKind } from '@haris/contract/http/collectors';
import type { HandOver, HandOverChoice, PickupProof, ReleaseBody } from '@haris/contract/http/hand-over';
import { Button, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { IconUserCheck, IconUsers } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChosenAdult } from './adult-button.tsx';
import classes from './hand-over.module.css';
import { SecondPerson } from './second-person.tsx';
import { readTypedProof } from './typed-proof.ts';

export interface ProofStepProps {
  adult: HandOverChoice;
  handOver: HandOver;
  /** A slip that was scanned before. */
  slip: string | undefined;
  isBusy: boolean;
  onBack: () => void;
  onSend: (proof: PickupProof | null, document: ReleaseBody['document']) => void;
}

export function ProofStep({ adult, handOver, slip, isBusy, onBack, onSend }: ProofStepProps) {
  const { t } = useTranslation('hand-over');
  const [kind, setKind] = useState<DocumentKind>('national_id');
  const [last, setLast] = useState('');
  const [isSecond, setSecond] = useState(false);
  const document = adult.isConfirmed || last.trim() === '' ? undefined : { kind, last };
  const send = (proof: PickupProof | null) => {
    if (!isBusy) onSend(proof, document);
  };
  return (
    <Stack gap="md">
      <ChosenAdult adult={adult} isBusy={isBusy} onBack={onBack} />
      {adult.isConfirmed ? null : (
        <DocumentFields kind={kind} last={last} onKind={setKind} onLast={setLast} />
      )}
      {slip === undefined ? (
        <TypedProof isBusy={isBusy} onProof={send} />
      ) : (
        <Group justify="space-between">
          <Text>{t('scanned')}</Text>
          <Button loading={isBusy} onClick={() => send({ kind: 'slip', value: slip })}>
            {t('confirm')}
          </Button>
        </Group>
      )}
      <div className={classes.others}>
        {handOver.staffProofs.includes('known') ? (
          <Button
            variant="light"
            leftSection={<IconUserCheck size={19} aria-hidden />}
            disabled={isBusy}
            onClick={() => send({ kind: 'known' })}
          >
            {t('known')}
          </Button>
        ) : null}
        {handOver.staffProofs.includes('second') ? (
          <Button
            variant="light"
            leftSection={<IconUsers size={19} aria-hidden />}
            aria-expanded={isSecond}
            disabled={isBusy}
            onClick={() => setSecond(!isSecond)}
          >
            {t('second')}
          </Button>
        ) : null}
        {handOver.mustProve ? null : (
          <Button variant="default" disabled={isBusy} onClick={() => send(null)}>
            {t('withoutProof')}
          </Button>
        )}
      </div>
      {isSecond ? <SecondPerson colleagues={handOver.colleagues} isBusy={isBusy} onProof={send} /> : null}
    </Stack>
  );
}

interface DocumentFieldsProps {
  kind: DocumentKind;
  last: string;
  onKind: (kind: DocumentKind) => void;
  onLast: (last: string) => void;
}

function DocumentFields({ kind, last, onKind, onLast }: DocumentFieldsProps) {
  const { t } = useTranslation('hand-over');
  return (
    <fieldset className={classes.document}>
      <Text component="legend" fw={500}>
        {t('document.title')}
      </Text>
      <Text size="sm" c="dimmed" mb={6}>
        {t('document.hint')}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <NativeSelect
          size="md"
          label={t('document.kind')}
          data={DOCUMENT_KINDS.map((one) => ({ value: one, label: t(`document.kinds.${one}`) }))}
          value={kind}
          onChange={(event) => {
            const chosen = DOCUMENT_KINDS.find((one) => one === event.currentTarget.value);
            if (chosen !== undefined) onKind(chosen);
          }}
        />
        <TextInput
          size="md"
          label={t('document.last')}
          value={last}
          maxLength={4}
          autoComplete="off"
          dir="ltr"
          onChange={(event) => onLast(event.currentTarget.value)}
        />
      </SimpleGrid>
    </fieldset>
  );
}

function TypedProof({ isBusy, onProof }: { isBusy: boolean; onProof: (proof: PickupProof) => void }) {
  const { t } = useTranslation('hand-over');
  const [text, setText] = useState('');

  function submit(event: FormEvent) {
    event.preventDefault();
    const proof = readTypedProof(text);
    if (proof === null || isBusy) return;
    onProof(proof);
    setText('');
  }

  return (
    <form noValidate onSubmit={submit} className={classes.typed}>
      <TextInput
        data-autofocus
        className={classes.field ?? ''}
        label={t('scan')}
        value={text}
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        maxLength={300}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" loading={isBusy} disabled={readTypedProof(text) === null}>
        {t('confirm')}
      </Button>
    </form>
  );
}
