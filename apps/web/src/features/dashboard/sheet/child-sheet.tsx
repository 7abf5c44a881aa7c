/** The sheet of one child: photo, time, contacts, and everything that can be corrected. */
import type { Child } from '@haris/contract/objects';
import { Button, Text } from '@mantine/core';
import { IconCamera, IconPencil, IconTrash } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CareButton } from '../../../care/care-button.tsx';
import { CareSignOf } from '../../../care/care-sign.tsx';
import { FamilyLink } from '../../../child/child-link.tsx';
import { Photo } from '../../../photos/photo.tsx';
import { Allowed } from '../../../session/allowed.tsx';
import { useMay } from '../../../session/may.ts';
import { StatusBadge } from '../families/status-badge.tsx';
import { WaitingButton } from '../families/waiting-button.tsx';
import { useLiveChildren } from '../lists/use-live-children.ts';
import { ChangedSince } from '../proposals/changed-since.tsx';
import { ProposalDialog } from '../proposals/proposal-dialog.tsx';
import { AuditLink } from './audit-link.tsx';
import { BarredPart } from './barred-part.tsx';
import { BookingPart } from './booking-part.tsx';
import { CareLogPart } from './care-log-part.tsx';
import { CollectorsPart } from './collectors-part.tsx';
import { DeleteChildDialog } from './delete-child-dialog.tsx';
import { FacilitiesPart } from './facilities-part.tsx';
import { GuardiansPart } from './guardians-part.tsx';
import { HistoryPart } from './history-part.tsx';
import { MissingPart } from './missing-part.tsx';
import { FamilyChildren, ParentContact } from './people.tsx';
import { PhotosPart } from './photos-part.tsx';
import { PlacePart } from './place-part.tsx';
import { useChildSheet } from './queries.ts';
import { RenameForm } from './rename-form.tsx';
import { RoomPart } from './room-part.tsx';
import { Section } from './section.tsx';
import classes from './sheet.module.css';
import { SheetFrame } from './sheet-frame.tsx';
import { SheetStates } from './sheet-states.tsx';
import { StayPart } from './stay-part.tsx';

interface DialogState {
  opened: boolean;
  onClose: () => void;
}

/** Dialogs of other features, passed in by app/sheets.tsx. */
export interface JoinedToSheet {
  SlipDialog: ComponentType<DialogState & { items: readonly Child[] }>;
  PhotoDialog: ComponentType<DialogState & { child: Child; purpose: 'replace' | 'add' }>;
}

export interface ChildSheetProps extends JoinedToSheet {
  opened: boolean;
  /** Kept while the sheet fades out; null before the first use. */
  id: string | null;
  onClose: () => void;
  evacuate: ReactNode;
}

export function ChildSheet({ opened, id, onClose, evacuate, ...joined }: ChildSheetProps) {
  const { t } = useTranslation('child');
  useLiveChildren();
  return (
    <SheetFrame opened={opened} onClose={onClose} title={t('title')} evacuate={evacuate}>
      {id === null ? null : <ChildSheetBody key={id} id={id} onClose={onClose} {...joined} />}
    </SheetFrame>
  );
}

function ChildSheetBody({ id, onClose, ...joined }: JoinedToSheet & { id: string; onClose: () => void }) {
  const { t } = useTranslation('child');
  const sheet = useChildSheet(id);
  return (
    <SheetStates sheet={sheet} notFound={t('notFound')} notFoundHint={t('notFoundHint')}>
      {(data) => <ChildParts data={data} onClose={onClose} {...joined} />}
    </SheetStates>
  );
}

type OpenDialog = 'slip' | 'replace' | 'add' | 'question' | 'delete';

interface ChildPartsProps extends JoinedToSheet {
  data: NonNullable<ReturnType<typeof useChildSheet>['data']>;
  onClose: () => void;
}

function ChildParts({ data, onClose, SlipDialog, PhotoDialog }: ChildPartsProps) {
  const { t } = useTranslation('child');
  const { child, parent, facePhotos, usual } = data;
  const may = useMay();
  const [open, setOpen] = useState<OpenDialog | null>(null);
  /** The child whose new photo staff must decide on: this one, or a sibling who is checked in too. */
  const [asked, setAsked] = useState<Child | null>(null);
  const [printed, setPrinted] = useState<readonly Child[]>([]);
  const close = () => setOpen(null);
  const siblings = parent.children.filter(({ _id }) => _id !== child._id);
  const ask = (about: Child) => {
    setAsked(about);
    setOpen('question');
  };
  return (
    <>
      <Head child={child} onQuestion={() => ask(child)} />
      <StayPart
        key={child.uniqueEntryId}
        child={child}
        siblings={siblings}
        usual={usual}
        onPrint={(items) => {
          setPrinted(items);
          setOpen('slip');
        }}
        onQuestion={ask}
      />
      <CarePart child={child} />
      <CareLogPart child={child} />
      <RoomPart child={child} />
      <PlacePart child={child} />
      <MissingPart child={child} />
      <BookingPart child={child} />
      <Section title={t('parent')}>
        <ParentContact parent={parent} />
      </Section>
      <GuardiansPart child={child} />
      {siblings.length === 0 ? null : (
        <Section title={t('siblings')}>
          <FamilyChildren items={siblings} label={t('siblings')} />
        </Section>
      )}
      <CollectorsPart child={child} />
      <BarredPart child={child} parent={parent} hasSiblings={siblings.length > 0} />
      <HistoryPart child={child} />
      <PhotosPart child={child} photos={facePhotos} onAdd={() => setOpen('add')} />
      <FacilitiesPart child={child} onRemoved={onClose} />
      {may('families.edit') || may('families.delete') ? (
        <Section title={t('correct')}>
          <div className={classes.buttons}>
            <Allowed to="families.edit">
              <Button
                size="sm"
                variant="default"
                leftSection={<IconCamera size={18} aria-hidden />}
                onClick={() => setOpen('replace')}
              >
                {t('photo.replace')}
              </Button>
            </Allowed>
            <Allowed to="families.delete">
              <Button
                size="sm"
                variant="subtle"
                color="clay"
                leftSection={<IconTrash size={18} aria-hidden />}
                onClick={() => setOpen('delete')}
              >
                {t('delete.title')}
              </Button>
            </Allowed>
          </div>
        </Section>
      ) : null}
      <AuditLink id={child._id} />
      <SlipDialog opened={open === 'slip'} onClose={close} items={printed} />
      <PhotoDialog
        opened={open === 'replace' || open === 'add'}
        onClose={close}
        child={child}
        purpose={open === 'add' ? 'add' : 'replace'}
      />
      <ProposalDialog
        opened={open === 'question'}
        onClose={close}
        waiting={{ kind: 'child', of: [child, ...siblings].find(({ _id }) => _id === asked?._id) ?? child }}
      />
      <DeleteChildDialog opened={open === 'delete'} child={child} onClose={close} onDeleted={onClose} />
    </>
  );
}

/** Opens the care card, and shows its sign. Reading the card is recorded, so the sheet itself shows none of it. */
function CarePart({ child }: { child: Child }) {
  const { t } = useTranslation('care-card');
  const subject = { id: child._id, name: child.name };
  return (
    <Allowed to="care.view">
      <Section title={t('title')}>
        <div className={classes.buttons}>
          <CareButton child={subject} />
          <CareSignOf child={subject} />
        </div>
      </Section>
    </Allowed>
  );
}

function Head({ child, onQuestion }: { child: Child; onQuestion: () => void }) {
  const { t } = useTranslation('child');
  const [isRenaming, setRenaming] = useState(false);
  if (isRenaming) return <RenameForm child={child} onDone={() => setRenaming(false)} />;
  return (
    <div className={classes.top}>
      <Photo name={child.name} path={child.photo} size={112} shape="rounded" />
      <div className={classes.who}>
        <Text component="h2" fz="h3" fw={600} className={classes.name}>
          <bdi>{child.name}</bdi>
        </Text>
        <Text size="sm" c="dimmed" className={classes.name}>
          <FamilyLink id={child.parent._id}>
            <bdi>{child.parent.name}</bdi>
          </FamilyLink>
        </Text>
        <div className={classes.marks}>
          <StatusBadge child={child} />
          <WaitingButton of={child} onOpen={onQuestion} />
        </div>
        <ChangedSince child={child} />
        <Allowed to="families.edit">
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPencil size={16} aria-hidden />}
            onClick={() => setRenaming(true)}
          >
            {t('rename.open')}
          </Button>
        </Allowed>
      </div>
    </div>
  );
}
