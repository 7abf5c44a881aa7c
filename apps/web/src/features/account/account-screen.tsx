/** The own account, for parents and staff: name and photo, language, appearance, password, notifications, signing out. */
import { Button, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { IconBellCog, IconKey, IconLogout } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useLogout } from '../../session/logout.ts';
import { useSession } from '../../session/session.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import classes from './account.module.css';
import { Person } from './person.tsx';

export interface AccountScreenProps {
  /** Choice of the language, joined in app/. */
  language: ReactNode;
  /** Choice of the colour scheme, joined in app/. */
  appearance: ReactNode;
  /** Second factors and sessions. */
  security: ReactNode;
  /** Recognition by the cameras, from the recognition feature. */
  recognition: ReactNode;
}

export default function AccountScreen({ language, appearance, security, recognition }: AccountScreenProps) {
  const { t } = useTranslation('account');
  const { admin } = useSession();
  return (
    <Page title={t('title')} size="sm">
      <Stack gap="lg">
        <Person />
        <Card className={classes.list ?? ''}>
          <Row title={t('language.title')} hint={t('language.hint')}>
            {language}
          </Row>
          <Row title={t('appearance')}>{appearance}</Row>
          {admin.identity?.signsInElsewhere ? null : (
            <Row title={t('security')} hint={t('passwordHint')}>
              <Button
                component={Link}
                to="/password"
                variant="default"
                leftSection={<IconKey size={18} aria-hidden />}
              >
                {t('changePassword')}
              </Button>
            </Row>
          )}
          <Row title={t('notifications.title')} hint={t('notifications.hint')}>
            <Button
              component={Link}
              to="/notices"
              variant="default"
              leftSection={<IconBellCog size={18} aria-hidden />}
            >
              {t('notifications.open')}
            </Button>
          </Row>
        </Card>
        {security}
        {recognition}
        <LogoutButton />
      </Stack>
    </Page>
  );
}

/** A line of the account: its name and a hint, and the control at its end; below one another on phones. */
function Row({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.row} aria-labelledby={id}>
      <div className={classes.words}>
        <Title order={2} fz="md" id={id}>
          {title}
        </Title>
        {hint === undefined ? null : (
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        )}
      </div>
      <div className={classes.control}>{children}</div>
    </section>
  );
}

export interface LanguageChoiceProps {
  value: string;
  onChange: (language: string) => void;
}

/** Each language is named in its own words, for people who read no other. */
export function LanguageChoice({ value, onChange }: LanguageChoiceProps) {
  const { t } = useTranslation('account');
  return (
    <SegmentedControl
      fullWidth
      aria-label={t('language.title')}
      value={value}
      onChange={onChange}
      data={[
        { value: 'en', label: <span lang="en">English</span> },
        { value: 'ar', label: <span lang="ar">العربية</span> },
      ]}
    />
  );
}

function LogoutButton() {
  const { t } = useTranslation('account');
  const logout = useLogout();
  const [isBusy, setBusy] = useState(false);
  return (
    <Button
      variant="default"
      size="md"
      fullWidth
      loading={isBusy}
      leftSection={<IconLogout size={18} className={classes.mirror ?? ''} aria-hidden />}
      onClick={() => {
        setBusy(true);
        void logout();
      }}
    >
      {t('logout')}
    </Button>
  );
}
