/** The sheet of one family: the parent's details and their correction, the children, and the deletion. */
import type { Parent } from '@haris/contract/objects';
import { Button, Text } from '@mantine/core';
import { IconMoodKid, IconPencil, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Photo } from '../../../photos/photo.tsx';
import { Allowed } from '../../../session/allowed.tsx';
import { useMay } from '../../../session/may.ts';
import { DeleteParentDialog } from '../families/delete-parent-dialog.tsx';
import { WaitingButton } from '../families/waiting-button.tsx';
import { ProposalDialog } from '../proposals/proposal-dialog.tsx';
import { AccountAccess, BlockedNote } from './account-access.tsx';
import { AuditLink } from './audit-link.tsx';
import { KioskPinReset } from './kiosk-pin-reset.tsx';
import { ParentForm } from './parent-form.tsx';
import { ContactButtons, FamilyChildren, Phone } from './people.tsx';
import { useFamilySheet } from './queries.ts';
import { Section } from './section.tsx';
import classes from './sheet.module.css';
import { SheetFrame } from './sheet-frame.tsx';
import { SheetStates } from './sheet-states.tsx';
import { type EmailWaits, Verification } from './verification.tsx';

export interface FamilySheetProps {
  opened: boolean;
  /** The parent's id; kept while the sheet fades out. */
  id: string | null;
  onClose: () => void;
  evacuate: ReactNode;
}

export function FamilySheet({ opened, id, onClose, evacuate }: FamilySheetProps) {
  const { t } = useTranslation('child');
  return (
    <SheetFrame opened={opened} onClose={onClose} title={t('family.title')} evacuate={evacuate}>
      {id === null ? null : <FamilySheetBody key={id} id={id} onClose={onClose} />}
    </SheetFrame>
  );
}

function FamilySheetBody({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('child');
  const sheet = useFamilySheet(id);
  return (
    <SheetStates sheet={sheet} notFound={t('family.notFound')} notFoundHint={t('family.notFoundHint')}>
      {(answer) => <FamilyParts {...answer} onClose={onClose} />}
    </SheetStates>
  );
}

interface FamilyPartsProps {
  parent: Parent;
  pendingEmail: string | null;
  /** What the link to the new address waits for. */
  emailWaits: EmailWaits | null;
  onClose: () => void;
}

function FamilyParts({ parent, pendingEmail, emailWaits, onClose }: FamilyPartsProps) {
  const { t } = useTranslation(['child', 'dashboard']);
  const [open, setOpen] = useState<'edit' | 'question' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const may = useMay();
  const mayCorrect = may('families.edit') || may('families.block') || may('families.delete');
  return (
    <>
      {open === 'edit' ? (
        <ParentForm parent={parent} onDone={close} />
      ) : (
        <ParentCard parent={parent} onEdit={() => setOpen('edit')} onQuestion={() => setOpen('question')} />
      )}
      <BlockedNote parent={parent} />
      <Verification parent={parent} pendingEmail={pendingEmail} emailWaits={emailWaits} />
      <ChildrenOf parent={parent} />
      {mayCorrect ? (
        <Section title={t('correct')}>
          <div className={classes.buttons}>
            <Allowed to="families.edit">
              <KioskPinReset parentId={parent._id} name={parent.name} />
            </Allowed>
            <Allowed to="families.block">
              <AccountAccess parent={parent} />
            </Allowed>
            <Allowed to="families.delete">
              <Button
                size="sm"
                variant="subtle"
                color="clay"
                leftSection={<IconTrash size={18} aria-hidden />}
                onClick={() => setOpen('delete')}
              >
                {t('dashboard:families.deleteParent')}
              </Button>
            </Allowed>
          </div>
        </Section>
      ) : null}
      <AuditLink id={parent._id} />
      <ProposalDialog opened={open === 'question'} onClose={close} waiting={{ kind: 'parent', of: parent }} />
      <DeleteParentDialog
        opened={open === 'delete'}
        parent={parent}
        onClose={close}
        onDeleted={() => {
          close();
          onClose();
        }}
      />
    </>
  );
}

interface ParentCardProps {
  parent: Parent;
  onEdit: () => void;
  onQuestion: () => void;
}

function ParentCard({ parent, onEdit, onQuestion }: ParentCardProps) {
  const { t } = useTranslation('child');
  return (
    <div className={classes.top}>
      <Photo name={parent.name} path={parent.photo} size={96} shape="rounded" />
      <div className={classes.who}>
        <Text component="h2" fz="h3" fw={600} className={classes.name}>
          <bdi>{parent.name}</bdi>
        </Text>
        <Text size="sm" c="dimmed" className={classes.name}>
          <bdi>{parent.email}</bdi>
        </Text>
        <Text size="sm" c="dimmed">
          <Phone parent={parent} />
        </Text>
        <div className={classes.marks}>
          <WaitingButton of={parent} onOpen={onQuestion} />
        </div>
        <div className={classes.buttons}>
          <ContactButtons parent={parent} />
        </div>
        <Allowed to="families.edit">
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPencil size={16} aria-hidden />}
            onClick={onEdit}
          >
            {t('family.edit')}
          </Button>
        </Allowed>
      </div>
    </div>
  );
}

function ChildrenOf({ parent }: { parent: Parent }) {
  const { t } = useTranslation('dashboard');
  return (
    <Section
      title={t('families.childrenOf', { name: parent.name })}
      action={
        <Allowed to="families.edit">
          <Button
            component={Link}
            to={`/addChild?parentId=${encodeURIComponent(parent._id)}`}
            state={{ parentName: parent.name }}
            size="compact-md"
            fz="sm"
            variant="light"
            leftSection={<IconMoodKid size={17} aria-hidden />}
          >
            {t('families.addChild')}
          </Button>
        </Allowed>
      }
    >
      {parent.children.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('families.noChildren')}
        </Text>
      ) : (
        <FamilyChildren items={parent.children} label={t('families.childrenOf', { name: parent.name })} />
      )}
    </Section>
  );
}
