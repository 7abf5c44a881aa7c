/** A second member of staff confirms a hand-over with the PIN for desk tablets. */
import type { HandOver, PickupProof } from '@haris/contract/http/hand-over';
import { Button, NativeSelect, PasswordInput, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './hand-over.module.css';

export interface SecondPersonProps {
  colleagues: HandOver['colleagues'];
  isBusy: boolean;
  onProof: (proof: PickupProof) => void;
}

export function SecondPerson({ colleagues, isBusy, onProof }: SecondPersonProps) {
  const { t } = useTranslation('hand-over');
  const [staffId, setStaffId] = useState('');
  const [pin, setPin] = useState('');
  if (colleagues.length === 0) return <Text c="dimmed">{t('noColleague')}</Text>;
  const isReady = staffId !== '' && pin.trim().length === 6;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isReady || isBusy) return;
    onProof({ kind: 'second', staffId, value: pin });
    setPin('');
  }

  return (
    <form noValidate onSubmit={submit} className={classes.typed}>
      <NativeSelect
        size="md"
        className={classes.field ?? ''}
        label={t('colleague')}
        data={[
          { value: '', label: t('choosePerson') },
          ...colleagues.map(({ _id, name }) => ({ value: _id, label: name })),
        ]}
        value={staffId}
        onChange={(event) => setStaffId(event.currentTarget.value)}
      />
      <PasswordInput
        size="md"
        className={classes.field ?? ''}
        label={t('pin')}
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        value={pin}
        onChange={(event) => setPin(event.currentTarget.value)}
      />
      <Button type="submit" loading={isBusy} disabled={!isReady}>
        {t('confirm')}
      </Button>
    </form>
  );
}
