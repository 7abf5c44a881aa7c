/** The form of Register Child Entry; its state is in use-entry.ts. */

import type { Parent } from '@haris/contract/objects';
import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import type { FormEvent, KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Photo } from '../../../photos/photo.tsx';
import { ProposalDialog } from '../proposals/proposal-dialog.tsx';
import classes from './entry.module.css';
import { EntryChildren } from './entry-children.tsx';
import { EntryProposals } from './entry-proposals.tsx';
import { FamilyPicker } from './family-picker.tsx';
import { PeriodPicker } from './period-picker.tsx';
import { RoomPicker } from './room-picker.tsx';
import { type EntryOptions, type EntryProblem, useEntry } from './use-entry.ts';

type Entry = ReturnType<typeof useEntry>;

/** A held Enter, perhaps from the button that opened the dialog, must not check anybody in. */
function ignoreHeldEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.repeat) event.preventDefault();
}

export function RegisterEntryForm(options: EntryOptions) {
  const { t } = useTranslation('dashboard');
  const entry = useEntry(options);
  const { chosen, question } = entry;
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
        <FamilyChildren entry={entry} />
        <EntryProposals
          items={entry.waiting}
          revisions={entry.revisions}
          onConfirm={entry.confirm}
          onRejected={entry.settle}
        />
        <PeriodPicker minutes={entry.minutes} onChange={entry.setMinutes} />
        <RoomPicker room={entry.room} coming={chosen.length} />
        <Problem {...entry.problem} />
        <Group justify="flex-end" gap="sm" className={classes.foot}>
          <Button variant="default" onClick={options.onDone} disabled={entry.isPending}>
            {t('entry.cancel')}
          </Button>
          <Button
            type="submit"
            loading={entry.isPending}
            data-autofocus={options.start === null ? undefined : true}
          >
            {chosen.length > 1 ? t('entry.submitCount', { count: chosen.length }) : t('entry.submit')}
          </Button>
        </Group>
      </Stack>
      <ProposalDialog
        onTop
        opened={question.isAsking}
        waiting={question.child && { kind: 'child', of: question.child }}
        onClose={() => {
          question.close();
          if (question.child) entry.settle(question.child);
        }}
      />
    </form>
  );
}

/** The children of the picked or marked family. */
function FamilyChildren({ entry: { parent, ...entry } }: { entry: Entry }) {
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

function Problem({ isIncomplete, failures }: EntryProblem) {
  const { t } = useTranslation('dashboard');
  if (!isIncomplete && failures.length === 0) return null;
  return (
    <Alert color="clay" variant="light" icon={<IconAlertCircle size={20} />} role="alert">
      {isIncomplete ? (
        <Text size="sm">{t('entry.required')}</Text>
      ) : (
        <>
          <Text size="sm" fw={600}>
            {t('entry.failedTitle')}
          </Text>
          <List size="sm">
            {failures.map(({ child, message }) => (
              <List.Item key={child._id}>{t('entry.failedFor', { name: child.name, message })}</List.Item>
            ))}
          </List>
        </>
      )}
    </Alert>
  );
}
