/** The form of Register Child Entry; its state is in use-entry.ts. */

import type { Child, Parent } from '@haris/contract/objects';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Photo } from '../../../photos/photo.tsx';
import classes from './entry.module.css';
import { EntryChildren } from './entry-children.tsx';
import { EntryQuestion } from './entry-question.tsx';
import { FamilyPicker } from './family-picker.tsx';
import { PeriodPicker } from './period-picker.tsx';
import type { PhotoDialogComponent } from './photo-dialog.ts';
import { RoomPicker } from './room-picker.tsx';
import { type EntryOptions, useEntry } from './use-entry.ts';

type Entry = ReturnType<typeof useEntry>;

/** A held Enter, perhaps from the button that opened the dialog, must not check anybody in. */
function ignoreHeldEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.repeat) event.preventDefault();
}

export interface RegisterEntryFormProps extends EntryOptions {
  /** The camera of the desk for a child's photo; null until its code is loaded. */
  PhotoDialog: PhotoDialogComponent | null;
}

export function RegisterEntryForm({ PhotoDialog, ...options }: RegisterEntryFormProps) {
  const { t } = useTranslation('dashboard');
  const entry = useEntry(options);
  const { chosen, confirms } = entry;
  const [photographed, setPhotographed] = useState<Child | null>(null);
  const [isTakingPhoto, setTakingPhoto] = useState(false);
  function takePhoto(child: Child) {
    // The desk's photo replaces the family's, so the family's is not rejected first.
    entry.takeBack(child);
    setPhotographed(child);
    setTakingPhoto(true);
  }
  function submitText() {
    if (confirms > 0)
      return chosen.length > 1 ? t('entry.confirmCount', { count: chosen.length }) : t('entry.confirmOne');
    return chosen.length > 1 ? t('entry.submitCount', { count: chosen.length }) : t('entry.submit');
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    entry.submit();
  };
  return (
    <form noValidate onKeyDown={ignoreHeldEnter} onSubmit={submit}>
      <Stack gap="md">
        {entry.picked === null ? (
          <FamilyPicker
            onPick={entry.pick}
            onMark={entry.mark}
            onEnter={entry.enter}
            hasError={entry.problem.isIncomplete}
          />
        ) : (
          <ChosenParent parent={entry.picked} onChange={entry.unpick} />
        )}
        <FamilyChildren entry={entry} onTakePhoto={takePhoto} />
        <PeriodPicker minutes={entry.minutes} onChange={entry.setMinutes} />
        <RoomPicker room={entry.room} coming={chosen.length} />
        {entry.problem.isIncomplete ? <Incomplete /> : null}
        <Group justify="flex-end" gap="sm" className={classes.foot}>
          <Button variant="default" onClick={options.onDone} disabled={entry.isPending}>
            {t('entry.cancel')}
          </Button>
          <Button
            type="submit"
            loading={entry.isPending}
            data-autofocus={options.start === null ? undefined : true}
          >
            {submitText()}
          </Button>
        </Group>
      </Stack>
      {PhotoDialog === null || photographed === null ? null : (
        <PhotoDialog
          opened={isTakingPhoto}
          child={photographed}
          purpose="replace"
          onClose={() => setTakingPhoto(false)}
        />
      )}
    </form>
  );
}

/** The children of the picked or marked family. */
function FamilyChildren({
  entry: { parent, chosen, ...entry },
  onTakePhoto,
}: {
  entry: Entry;
  onTakePhoto: (child: Child) => void;
}) {
  const { t } = useTranslation('dashboard');
  return (
    <div>
      <Text size="md" fw={500} id="entry-children" mb={4}>
        {parent === null ? t('entry.children') : t('entry.childrenOf', { name: parent.name })}
      </Text>
      {parent === null ? (
        <Text size="sm" c="dimmed">
          {t('entry.chooseParentFirst')}
        </Text>
      ) : (
        <EntryChildren
          key={parent._id}
          items={parent.children}
          isInside={entry.isInside}
          ticked={entry.ticked}
          onTick={entry.tick}
          focusRequest={entry.focus.of(parent)}
          focusAnswered={entry.focus.answered}
          isStale={entry.isStale}
          below={(child) => (
            <EntryQuestion
              child={child}
              isTicked={chosen.includes(child)}
              isWaiting={entry.isWaiting(child)}
              isRejected={entry.isRejected(child)}
              mayConfirm={entry.mayConfirm}
              failure={entry.failureOf(child)}
              isBusy={entry.isPending}
              onReject={() => entry.reject(child)}
              onTakeBack={() => entry.takeBack(child)}
              onTellApart={() => entry.tellApart(child)}
              onTakePhoto={() => onTakePhoto(child)}
            />
          )}
        />
      )}
    </div>
  );
}

function ChosenParent({ parent, onChange }: { parent: Parent; onChange: () => void }) {
  const { t } = useTranslation('dashboard');
  return (
    <div>
      <Text size="md" fw={500} mb={4}>
        {t('entry.parent')}
      </Text>
      {/* On the narrowest phones the button wraps below, because the name would break in the middle of a word. */}
      <Group gap="sm" justify="flex-end">
        <Photo name={parent.name} path={parent.photo} size={40} />
        <Text fw={500} flex="1 1 7rem" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{parent.name}</bdi>
        </Text>
        <Button size="compact-sm" variant="subtle" onClick={onChange} style={{ flexShrink: 0 }}>
          {t('entry.changeParent')}
        </Button>
      </Group>
    </div>
  );
}

function Incomplete() {
  const { t } = useTranslation('dashboard');
  return (
    <Alert color="clay" variant="light" icon={<IconAlertCircle size={20} />} role="alert">
      <Text size="sm">{t('entry.required')}</Text>
    </Alert>
  );
}
