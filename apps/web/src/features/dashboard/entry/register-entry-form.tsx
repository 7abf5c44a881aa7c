/** The form of Register Child Entry; its state is in use-entry.ts. */

import type { Child, Parent } from '@haris/contract/objects';
import { Alert, Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconAlertCircle, IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, type MouseEvent, useRef, useState } from 'react';
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

/** The second tap of a double tap must not confirm the photo that the first one scrolled to. */
function ignoreSecondTap(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault();
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
    entry.holdRejection(child);
    setPhotographed(child);
    setTakingPhoto(true);
  }
  function submitText() {
    if (entry.asked !== null) return t('entry.answerFirst', { name: `\u2068${entry.asked.name}\u2069` });
    if (entry.unseen !== null) return t('entry.seeNext');
    if (confirms > 0)
      return chosen.length > 1 ? t('entry.confirmCount', { count: chosen.length }) : t('entry.confirmOne');
    return chosen.length > 1 ? t('entry.submitCount', { count: chosen.length }) : t('entry.submit');
  }
  const answer = useRef<HTMLButtonElement>(null);
  // The question stands above the button; a photo that was not in view may be further down.
  const Leads = entry.asked === null ? IconArrowDown : IconArrowUp;
  const isLeading = entry.asked !== null || entry.unseen !== null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    entry.submit();
  };
  return (
    <form noValidate onKeyDown={ignoreHeldEnter} onSubmit={submit} className={classes.form}>
      <Stack gap={entry.picked === null ? 'md' : 'xs'} className={classes.fields}>
        {entry.picked === null ? (
          <FamilyPicker
            onPick={entry.pick}
            onMark={entry.mark}
            onEnter={() => entry.enter(() => answer.current?.focus())}
            hasError={entry.problem.isIncomplete}
          />
        ) : (
          <ChosenParent parent={entry.picked} onChange={entry.unpick} />
        )}
        <FamilyChildren entry={entry} onTakePhoto={takePhoto} />
        <RoomPicker room={entry.room} coming={chosen.length} />
      </Stack>
      <Stack gap="sm" className={classes.foot}>
        {entry.problem.isIncomplete ? <Incomplete /> : null}
        <PeriodPicker lasting={entry.lasting} onChange={entry.setLasting} coming={chosen} />
        <Button
          ref={answer}
          type="submit"
          fullWidth
          leftSection={isLeading ? <Leads size={18} aria-hidden /> : undefined}
          loading={entry.isPending}
          onClick={ignoreSecondTap}
          data-autofocus={options.start === null ? undefined : true}
        >
          {submitText()}
        </Button>
      </Stack>
      {PhotoDialog === null || photographed === null ? null : (
        <PhotoDialog
          opened={isTakingPhoto}
          child={photographed}
          purpose="replace"
          // The desk's photo replaces the family's.
          onSaved={() => entry.takeBack(photographed)}
          onClose={() => {
            entry.resumeRejection(photographed);
            setTakingPhoto(false);
          }}
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
      {entry.picked === null ? (
        <Text size="md" fw={500} id="entry-children" mb={4}>
          {parent === null ? t('entry.children') : t('entry.childrenOf', { name: parent.name })}
        </Text>
      ) : (
        // The name stands above.
        <VisuallyHidden id="entry-children">
          {t('entry.childrenOf', { name: entry.picked.name })}
        </VisuallyHidden>
      )}
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
          hasLargePhoto={(child) =>
            chosen.includes(child) && entry.isWaiting(child) && entry.failureOf(child) === null
          }
          below={(child) => (
            <EntryQuestion
              child={child}
              isTicked={chosen.includes(child)}
              isWaiting={entry.isWaiting(child)}
              isRejected={entry.isRejected(child)}
              mayConfirm={entry.mayConfirm}
              failure={entry.failureOf(child)}
              isBusy={entry.isPending}
              isReplaced={entry.isReplaced(child)}
              onSeen={(revision) => entry.see(child, revision)}
              lookRequest={entry.lookRequestOf(child)}
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
    // In one row on the narrowest phones too, so that the photos of two children have their place below.
    <Group gap="xs" justify="flex-end">
      <Photo name={parent.name} path={parent.photo} size={32} />
      <VisuallyHidden>{t('entry.parent')}: </VisuallyHidden>
      <Text fw={500} flex="1 1 5rem" lineClamp={3} style={{ overflowWrap: 'anywhere' }} dir="auto">
        {parent.name}
      </Text>
      <Button size="compact-sm" variant="subtle" onClick={onChange} style={{ flexShrink: 0 }}>
        {t('entry.changeParent')}
      </Button>
    </Group>
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
