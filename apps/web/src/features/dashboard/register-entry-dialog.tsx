/** Register Child Entry (spec §2): type two letters, tick the children of the family that is found, press Enter. */
import { DEFAULT_ENTRY_PERIOD_MINUTES } from '@haris/contract/constants';
import type { EntryPeriod } from '@haris/contract/fields';
import type { Child, Parent } from '@haris/contract/objects';
import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Photo } from '../../client/photo.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useLock } from '../../ui/use-lock.ts';
import classes from './entry.module.css';
import { EntryChildren } from './entry-children.tsx';
import { EntryProposals } from './entry-proposals.tsx';
import { isRefusedOffline } from './offline.ts';
import { ParentPicker } from './parent-picker.tsx';
import { PeriodPicker } from './period-picker.tsx';
import { ProposalDialog } from './proposal-dialog.tsx';
import { useChildrenInside } from './queries.ts';
import { type EntryFailure, useRegisterEntry } from './use-register-entry.ts';

/** A family to start with: the shortcut beside a child. */
export interface EntryStart {
  parent: Parent;
  childId: string;
}

export interface RegisterEntryDialogProps {
  opened: boolean;
  onClose: () => void;
  start: EntryStart | null;
  onPrint: (children: readonly Child[]) => void;
}

export function RegisterEntryDialog({ opened, onClose, start, onPrint }: RegisterEntryDialogProps) {
  const { t } = useTranslation('dashboard');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('entry.title')}>
      <RegisterEntryForm start={start} onDone={onClose} onPrint={onPrint} />
    </Dialog>
  );
}

const NOBODY: ReadonlySet<string> = new Set();

/** What was ticked, and in which family: found another one, it counts for nothing. */
interface Ticks {
  readonly parentId: string;
  readonly ids: ReadonlySet<string>;
}

/** An only child is ticked already. Not one whose siblings are inside: they may have come in at this moment. */
function tickedOf(parent: Parent | null, ticks: Ticks | null): ReadonlySet<string> {
  if (parent === null) return NOBODY;
  if (ticks?.parentId === parent._id) return ticks.ids;
  const [only] = parent.children;
  return only !== undefined && parent.children.length === 1 ? new Set([only._id]) : NOBODY;
}

interface RegisterEntryFormProps {
  start: EntryStart | null;
  onDone: () => void;
  onPrint: (children: readonly Child[]) => void;
}

function RegisterEntryForm({ start, onDone, onPrint }: RegisterEntryFormProps) {
  const { t } = useTranslation('dashboard');
  const [picked, setPicked] = useState<Parent | null>(start?.parent ?? null);
  const [marked, setMarked] = useState<Parent | null>(null);
  const [isStale, setStale] = useState(false);
  const [ticks, setTicks] = useState<Ticks | null>(
    start === null ? null : { parentId: start.parent._id, ids: new Set([start.childId]) },
  );
  const [minutes, setMinutes] = useState<EntryPeriod>(DEFAULT_ENTRY_PERIOD_MINUTES);
  const [focusRequest, setFocusRequest] = useState({ parentId: '', count: 0 });
  const focusAnswered = useRef(0);
  const [isIncomplete, setIncomplete] = useState(false);
  const [failures, setFailures] = useState<EntryFailure[]>([]);
  const isInside = useIsInside();
  const lock = useLock();
  const parent = picked ?? marked;
  const ticked = tickedOf(parent, ticks);
  const chosen = (parent?.children ?? []).filter((child) => ticked.has(child._id) && !isInside(child));
  const [revisions, setRevisions] = useState<ReadonlyMap<string, string>>(new Map());
  const [decided, setDecided] = useState<ReadonlySet<string>>(NOBODY);
  const [question, setQuestion] = useState<Child | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const waiting = chosen.filter(({ _id, proposal }) => proposal !== undefined && !decided.has(_id));
  const register = useRegisterEntry({
    onDone,
    onPrint,
    onQuestion: (child) => {
      setQuestion(child);
      setIsAsking(true);
    },
    onFailures: (failed) => {
      if (parent !== null) {
        setTicks({ parentId: parent._id, ids: new Set(failed.map(({ child }) => child._id)) });
      }
      setFailures(failed);
    },
  });

  function forget() {
    setIncomplete(false);
    setFailures([]);
  }

  /** What waited for a child is decided: the family that was read before does not know it. */
  function settle({ _id }: Child) {
    setDecided(withTick(decided, _id, true));
    setRevisions(new Map([...revisions].filter(([id]) => id !== _id)));
  }

  function focusChildrenOf({ _id }: Parent) {
    setFocusRequest(({ count }) => ({ parentId: _id, count: count + 1 }));
  }

  function pick(next: Parent | null) {
    setPicked(next);
    setMarked(null);
    setStale(false);
    setTicks(null);
    if (next !== null) focusChildrenOf(next);
    forget();
  }

  function mark(next: Parent | null, isCurrent: boolean) {
    // Until the answer is here the last one stays to be seen, so that nothing jumps with each letter.
    setStale(!isCurrent);
    if (isCurrent) setMarked(next);
  }

  function submit() {
    // Whom the letters mean now is not known yet.
    if (isStale || isRefusedOffline()) return;
    setIncomplete(chosen.length === 0);
    setFailures([]);
    if (chosen.length === 0 || !lock.take()) return;
    register.mutate({ children: chosen, minutes, revisions }, { onSettled: lock.release });
  }

  return (
    <form
      noValidate
      // Enter held down, from the button that opened this perhaps, must not check anybody in.
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.repeat) event.preventDefault();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="md">
        {picked === null ? (
          <ParentPicker
            onPick={pick}
            onMark={mark}
            onEnter={() => {
              if (chosen.length > 0) return true;
              if (parent !== null) focusChildrenOf(parent);
              return false;
            }}
            hasError={isIncomplete}
          />
        ) : (
          <ChosenParent parent={picked} onChange={() => pick(null)} />
        )}
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
              isInside={isInside}
              ticked={ticked}
              onTick={(id, isTicked) => {
                setIncomplete(false);
                setTicks({ parentId: parent._id, ids: withTick(ticked, id, isTicked) });
              }}
              focusRequest={focusRequest.parentId === parent._id ? focusRequest.count : 0}
              focusAnswered={focusAnswered}
              isStale={isStale}
            />
          )}
        </div>
        <EntryProposals
          items={waiting}
          revisions={revisions}
          onConfirm={(child, isConfirmed) => {
            const next = new Map(revisions);
            if (isConfirmed && child.proposal) next.set(child._id, child.proposal.revision);
            else next.delete(child._id);
            setRevisions(next);
          }}
          onRejected={settle}
        />
        <PeriodPicker minutes={minutes} onChange={setMinutes} />
        <Problem isIncomplete={isIncomplete} failures={failures} />
        <Group justify="flex-end" gap="sm" className={classes.foot}>
          <Button variant="default" onClick={onDone} disabled={register.isPending}>
            {t('entry.cancel')}
          </Button>
          <Button
            type="submit"
            loading={register.isPending}
            data-autofocus={start === null ? undefined : true}
          >
            {chosen.length > 1 ? t('entry.submitCount', { count: chosen.length }) : t('entry.submit')}
          </Button>
        </Group>
      </Stack>
      <ProposalDialog
        onTop
        opened={isAsking}
        waiting={question && { kind: 'child', of: question }}
        onClose={() => {
          setIsAsking(false);
          if (question) settle(question);
        }}
      />
    </form>
  );
}

function withTick(ticked: ReadonlySet<string>, id: string, isTicked: boolean): ReadonlySet<string> {
  const next = new Set(ticked);
  if (isTicked) next.add(id);
  else next.delete(id);
  return next;
}

/** Another desk may check a child in while this dialog is open: the live list knows better than the family does. */
function useIsInside(): (child: Child) => boolean {
  const inside = useChildrenInside().data;
  if (inside === undefined) return (child) => child.isInside;
  const ids = new Set(inside.map((child) => child._id));
  return (child) => ids.has(child._id);
}

function ChosenParent({ parent, onChange }: { parent: Parent; onChange: () => void }) {
  const { t } = useTranslation('dashboard');
  return (
    <div>
      <Text size="md" fw={500} mb={4}>
        {t('entry.parent')}
      </Text>
      {/* On the narrowest phones the button goes below: a name would be broken between any two letters. */}
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

function Problem({ isIncomplete, failures }: { isIncomplete: boolean; failures: readonly EntryFailure[] }) {
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
