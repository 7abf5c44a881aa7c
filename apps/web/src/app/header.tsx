/** The sticky header: name, anchors of the landing page, user link by role, language and appearance, menu on narrow screens (spec §2, Shell). */

import type { Language } from '@haris/contract/fields';
import { IconLanguage, IconMenu2, IconShieldLock, IconUserCircle, IconX } from '@tabler/icons-react';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { useSession } from '../client/session.tsx';
import { chooseLanguage, currentLanguage, i18n } from '../i18n/i18n.ts';
import { productName } from '../i18n/product-name.ts';
import { ActionButton, ActionLink } from '../ui/action.tsx';
import { Logo } from '../ui/logo.tsx';
import { ScreenMenuSlot } from '../ui/screen-menu.tsx';
import { AppearanceChoice, AppearanceIcon } from './appearance.tsx';
import styles from './header.module.css';

/** Where the user link leads and what it says: the parent's name, else the label Admin. */
function useUserLink() {
  const { t } = useTranslation('shell');
  const { parent, admin } = useSession();
  if (parent.identity !== null) return { to: '/profile', label: parent.identity.name, isAdmin: false };
  return {
    to: admin.isAuthenticated ? '/adminDashboard' : '/adminPreLogin',
    label: t('admin'),
    isAdmin: true,
  };
}

/** Texts that cannot be fetched leave the page as it is, and it says so. */
async function switchTo(language: Language): Promise<void> {
  try {
    await chooseLanguage(language);
  } catch {
    const { notifyError } = await import('../ui/toast.ts');
    notifyError(i18n.t('errors:FETCH_ERROR'), 'language');
  }
}

function LanguageSwitch() {
  const { t } = useTranslation('shell');
  const other = currentLanguage() === 'ar' ? 'en' : 'ar';
  return (
    <ActionButton
      look="quiet"
      icon={<IconLanguage size={18} aria-hidden />}
      onClick={() => void switchTo(other)}
      aria-label={t('switchLanguage')}
      lang={other}
    >
      {t('language')}
    </ActionButton>
  );
}

/** A popover of the browser's own: Escape and a press elsewhere close it, and the focus goes back. */
function AppearanceMenu() {
  const { t } = useTranslation('shell');
  const id = useId();
  return (
    <div className={styles.wideOnly}>
      <ActionButton look="quiet" size="square" popoverTarget={id} aria-label={t('appearance.title')}>
        <AppearanceIcon size={20} />
      </ActionButton>
      <div id={id} popover="auto" className={styles.popover}>
        <AppearanceChoice />
      </div>
    </div>
  );
}

function UserLink({ className }: { className?: string | undefined }) {
  const user = useUserLink();
  const Icon = user.isAdmin ? IconShieldLock : IconUserCircle;
  return (
    <ActionLink to={user.to} look="plain" className={className} icon={<Icon size={18} aria-hidden />}>
      <bdi>{user.label}</bdi>
    </ActionLink>
  );
}

const ANCHORS = ['about', 'features', 'pricing', 'contact'] as const;

/** Links to the sections of the overview page, from wherever one is. */
function Anchors() {
  const { t } = useTranslation('shell');
  return ANCHORS.map((name) => (
    <Link key={name} to={`/overview#${name}-section`} className={styles.anchor}>
      {t(`nav.${name}`)}
    </Link>
  ));
}

/** The browser's own modal dialog keeps the focus inside and closes on Escape; the backdrop closes it here. */
function MobileMenu({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('shell');
  const { parent, admin, isLoading } = useSession();
  const isVisitor = !isLoading && !parent.isAuthenticated && !admin.isAuthenticated;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (opened) dialog.current?.showModal();
    else dialog.current?.close();
  }, [opened]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click is one on the backdrop; Escape is the keyboard's way
    <dialog
      ref={dialog}
      className={styles.menu}
      aria-label={t('menu.title')}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className={styles.menuHead}>
        <span>{t('menu.title')}</span>
        <ActionButton look="quiet" size="square" onClick={onClose} aria-label={t('menu.close')}>
          <IconX size={22} aria-hidden />
        </ActionButton>
      </div>
      <ScreenMenuSlot onPress={onClose} />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: following a link with the keyboard is a click too */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is pressed */}
      <div className={styles.menuLinks} onClick={onClose}>
        <nav className={styles.menuLinks} aria-label={t('menu.title')}>
          <Anchors />
        </nav>
        {isVisitor ? (
          <>
            <ActionLink to="/login">{t('loginRegister')}</ActionLink>
            <ActionLink to="/adminPreLogin" look="light">
              {t('adminPanel')}
            </ActionLink>
          </>
        ) : (
          <UserLink className={styles.inMenu} />
        )}
      </div>
      <div className={styles.menuFoot}>
        <AppearanceChoice />
      </div>
    </dialog>
  );
}

export function Header() {
  const { t } = useTranslation('shell');
  const [opened, setOpened] = useState(false);
  const close = useCallback(() => setOpened(false), []);
  const { key } = useLocation();
  // A link in the menu was followed, or the browser went back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the navigation is the trigger
  useEffect(() => setOpened(false), [key]);
  return (
    <header className={styles.header}>
      <div className={styles.inner}>
        <Link to="/" className={styles.brand} aria-label={t('home')}>
          <Logo size={36} />
          <span aria-hidden="true">{productName(currentLanguage())}</span>
        </Link>
        <nav className={styles.anchors} aria-label={t('nav.label')}>
          <Anchors />
        </nav>
        <div className={styles.tools}>
          <LanguageSwitch />
          <AppearanceMenu />
          <UserLink className={styles.wideOnly} />
          <ActionButton
            look="quiet"
            size="square"
            className={styles.narrowOnly}
            onClick={() => setOpened(true)}
            aria-label={t('menu.open')}
            aria-haspopup="dialog"
            aria-expanded={opened}
          >
            <IconMenu2 size={24} aria-hidden />
          </ActionButton>
        </div>
      </div>
      <MobileMenu opened={opened} onClose={close} />
    </header>
  );
}
