/** The people of a sheet: the parent with phone and mail, and the children of the family with their state. */
import type { Child, Parent } from '@haris/contract/objects';
import { ActionIcon, Button, Text } from '@mantine/core';
import { IconMail, IconPhone } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ChildLink, FamilyLink } from '../../../child/child-link.tsx';
import { Countdown } from '../../../countdown/countdown.tsx';
import { Photo } from '../../../photos/photo.tsx';
import { StatusBadge } from '../families/status-badge.tsx';
import classes from './sheet.module.css';

/** A button that calls the parent, and one that writes a mail. */
export function ContactButtons({ parent }: { parent: Parent }) {
  const { t } = useTranslation('child');
  return (
    <>
      {parent.phone === null ? null : (
        <Button
          component="a"
          href={`tel:${parent.phone}`}
          size="sm"
          variant="light"
          leftSection={<IconPhone size={18} aria-hidden />}
          aria-label={t('contact.call', { name: parent.name })}
        >
          {t('contact.callShort')}
        </Button>
      )}
      <ActionIcon
        component="a"
        href={`mailto:${parent.email}`}
        size={36}
        variant="subtle"
        aria-label={t('contact.mail', { name: parent.name })}
        title={parent.email}
      >
        <IconMail size={20} stroke={1.75} aria-hidden />
      </ActionIcon>
    </>
  );
}

/** The phone number in the form that is dialled. */
export function Phone({ parent }: { parent: Parent }) {
  const { t } = useTranslation('dashboard');
  return parent.phone === null ? t('families.noPhone') : <bdi dir="ltr">{parent.phone}</bdi>;
}

/** The parent in one row; the name opens the family's sheet. */
export function ParentContact({ parent }: { parent: Parent }) {
  return (
    <div className={classes.person}>
      <Photo name={parent.name} path={parent.photo} size={44} />
      <div className={classes.who}>
        <Text fw={600} className={classes.name}>
          <FamilyLink id={parent._id}>
            <bdi>{parent.name}</bdi>
          </FamilyLink>
        </Text>
        <Text size="sm" c="dimmed" className={classes.name}>
          <Phone parent={parent} />
        </Text>
      </div>
      <ContactButtons parent={parent} />
    </div>
  );
}

/** Children of a family, each a link to the child's sheet. */
export function FamilyChildren({ items, label }: { items: readonly Child[]; label: string }) {
  const { t } = useTranslation('stays');
  return (
    <ul className={classes.list} aria-label={label}>
      {items.map((child) => (
        <li key={child._id} className={classes.person}>
          <Photo name={child.name} path={child.photo} size={36} />
          <Text size="sm" fw={500} className={`${classes.who} ${classes.name}`}>
            <ChildLink id={child._id}>
              <bdi>{child.name}</bdi>
            </ChildLink>
          </Text>
          <Countdown stay={child} label={`${t('timeLeft')} ${child.name}`} className={classes.small} />
          <StatusBadge child={child} />
        </li>
      ))}
    </ul>
  );
}
