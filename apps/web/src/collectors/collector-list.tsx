/** Who may pick up a child besides the parent: added, changed and removed in dialogs. For families and for staff. */
import { type Collector, collectorRoutes } from '@haris/contract/http/collectors';
import { ActionIcon, Badge, Button, Skeleton, Text } from '@mantine/core';
import { IconCamera, IconPencil, IconTrash, IconUserPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText, showFailure } from '../calls/failure.ts';
import { call } from '../calls/http.ts';
import { Photo } from '../photos/photo.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorState } from '../ui/states.tsx';
import { notifySuccess } from '../ui/toast.ts';
import { CollectorForm } from './collector-form.tsx';
import classes from './collectors.module.css';
import { isPast, today, useDaysText } from './days.ts';
import { CollectorPhotoDialog } from './photo-dialog.tsx';
import { refreshCollectors, useCollectors } from './queries.ts';

export interface CollectorListProps {
  child: { readonly _id: string; readonly name: string };
  mayEdit: boolean;
  /** Below a row: the pass, for the family. */
  renderPass?: (collector: Collector) => ReactNode;
}

/** What a dialog is about; `new`: a form without a collector. */
type Open =
  | { readonly what: 'new' }
  | { readonly what: 'edit' | 'photo' | 'remove'; readonly collector: Collector };

export function CollectorList({ child, mayEdit, renderPass }: CollectorListProps) {
  const { t } = useTranslation('collectors');
  const collectors = useCollectors(child._id);
  // Kept while a dialog fades out.
  const [subject, setSubject] = useState<Open>({ what: 'new' });
  const [isOpen, setIsOpen] = useState(false);
  const open = (next: Open) => {
    setSubject(next);
    setIsOpen(true);
  };
  const dialog = { child, subject, isOpen, onClose: () => setIsOpen(false) };
  if (collectors.data === undefined)
    return collectors.isError ? (
      <ErrorState
        text={failureText(collectors.error)}
        onRetry={() => void collectors.refetch()}
        busy={collectors.isRefetching}
      />
    ) : (
      <Skeleton height={56} role="status" aria-label={t('loading')} />
    );
  return (
    <>
      {collectors.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('empty')}
        </Text>
      ) : (
        <ul className={classes.list} aria-label={t('titleOf', { name: child.name })}>
          {collectors.data.map((collector) => (
            <Row
              key={collector._id}
              collector={collector}
              mayEdit={mayEdit}
              onOpen={(what) => open({ what, collector })}
            >
              {renderPass?.(collector)}
            </Row>
          ))}
        </ul>
      )}
      {mayEdit ? (
        <div className={classes.buttons}>
          <Button
            size="sm"
            variant="light"
            leftSection={<IconUserPlus size={18} aria-hidden />}
            aria-label={t('addOf', { name: child.name })}
            onClick={() => open({ what: 'new' })}
          >
            {t('add')}
          </Button>
        </div>
      ) : null}
      <FormDialog {...dialog} />
      <RemoveDialog {...dialog} />
      <CollectorPhotoDialog
        collector={subject.what === 'photo' ? subject.collector : null}
        opened={isOpen}
        onClose={dialog.onClose}
      />
    </>
  );
}

interface DialogProps {
  child: CollectorListProps['child'];
  subject: Open;
  isOpen: boolean;
  onClose: () => void;
}

function FormDialog({ child, subject, isOpen, onClose }: DialogProps) {
  const { t } = useTranslation('collectors');
  const collector = subject.what === 'edit' ? subject.collector : null;
  return (
    <Dialog
      opened={isOpen && (subject.what === 'new' || subject.what === 'edit')}
      onClose={onClose}
      title={collector === null ? t('form.addTitle') : t('form.editTitle', { name: collector.name })}
    >
      <CollectorForm key={collector?._id} childId={child._id} collector={collector} onDone={onClose} />
    </Dialog>
  );
}

function RemoveDialog({ child, subject, isOpen, onClose }: DialogProps) {
  const { t } = useTranslation('collectors');
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: ({ _id }: Collector) => call(collectorRoutes.removeCollector, { params: { id: _id } }),
    onSuccess: (_, { name }) => notifySuccess(t('removed', { name })),
    onError: (error) => showFailure(error),
    onSettled: () => {
      onClose();
      return refreshCollectors(client);
    },
  });
  const collector = subject.what === 'remove' ? subject.collector : null;
  const name = collector?.name ?? '';
  return (
    <ConfirmDialog
      opened={isOpen && collector !== null}
      onClose={onClose}
      onConfirm={() => collector !== null && remove.mutate(collector)}
      title={t('removeTitle', { name })}
      confirmLabel={t('remove')}
      busy={remove.isPending}
      dangerous
    >
      {t('removeText', { name, child: child.name })}
    </ConfirmDialog>
  );
}

interface RowProps {
  collector: Collector;
  mayEdit: boolean;
  onOpen: (what: 'edit' | 'photo' | 'remove') => void;
  children: ReactNode;
}

function Row({ collector, mayEdit, onOpen, children }: RowProps) {
  const { t } = useTranslation('collectors');
  const daysText = useDaysText();
  const { name, relation, phone } = collector;
  return (
    <li className={classes.row}>
      <Photo name={name} path={collector.photo} size={48} />
      <div className={classes.facts}>
        <Text fw={600} className={classes.words}>
          <bdi>{name}</bdi>{' '}
          <Text span fw={400} c="dimmed">
            <bdi>{relation}</bdi>
          </Text>
        </Text>
        <Text size="sm" component="div" className={classes.when}>
          <span>{daysText(collector)}</span>
          {phone === null ? null : (
            <a
              className={classes.phone}
              href={`tel:${phone}`}
              aria-label={`${t('call', { name })}: ${phone}`}
            >
              <bdi dir="ltr">{phone}</bdi>
            </a>
          )}
        </Text>
        <Marks collector={collector} />
        {children}
      </div>
      {mayEdit ? (
        <div className={classes.icons}>
          <ActionIcon
            size={44}
            variant="subtle"
            aria-label={t('photo.openOf', { name })}
            title={t('photo.open')}
            onClick={() => onOpen('photo')}
          >
            <IconCamera size={18} aria-hidden />
          </ActionIcon>
          <ActionIcon
            size={44}
            variant="subtle"
            aria-label={t('editOf', { name })}
            title={t('edit')}
            onClick={() => onOpen('edit')}
          >
            <IconPencil size={18} aria-hidden />
          </ActionIcon>
          <ActionIcon
            size={44}
            variant="subtle"
            color="clay"
            aria-label={t('removeOf', { name })}
            title={t('remove')}
            onClick={() => onOpen('remove')}
          >
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </div>
      ) : null}
    </li>
  );
}

function Marks({ collector }: { collector: Collector }) {
  const { t } = useTranslation('collectors');
  const { isConfirmed, document, resemblesBarred } = collector;
  return (
    <div className={classes.marks}>
      {resemblesBarred ? (
        <Badge variant="light" color="clay" tt="none" fw={500}>
          {t('resemblesBarred')}
        </Badge>
      ) : null}
      {isPast(collector, today()) ? (
        <Badge variant="default" tt="none" fw={500}>
          {t('over')}
        </Badge>
      ) : null}
      <Badge
        variant="light"
        color={isConfirmed ? 'pine' : 'saffron'}
        tt="none"
        fw={500}
        // On a phone the words need two lines.
        h="auto"
        mih="1.25rem"
        styles={{ label: { whiteSpace: 'normal' } }}
      >
        {t(isConfirmed ? 'confirmed' : 'unconfirmed')}
      </Badge>
      {document == null ? null : (
        <Text size="xs" c="dimmed">
          {t('document', { kind: t(`documentKind.${document.kind}`), last: document.last })}
        </Text>
      )}
    </div>
  );
}
