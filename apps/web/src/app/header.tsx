/**
 * The sticky header (spec §2, Shell): name, user link by role, language, appearance. Visitors have the anchors of the
 * landing page and a menu on narrow screens; the signed-in have the parts of their frame instead.
 */

import { IconLanguage, IconMenu2, IconShieldLock, IconUserCircle, IconX } from '@tabler/icons-react';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { currentLanguage } from '../i18n/i18n.ts';
import { productName } from '../i18n/product-name.ts';
import { useLiveState } from '../live/live-provider.tsx';
import { useMay } from '../session/may.ts';
import { useSession } from '../session/session.tsx';
import { usePublicName } from '../start/facility-name.ts';
import { ActionButton, ActionLink } from '../ui/action.tsx';
import { Logo } from '../ui/logo.tsx';
import { useOnline } from '../ui/use-online.ts';
import { AppearanceChoice, AppearanceIcon } from './appearance.tsx';
import styles from './header.module.css';
import type { SessionFrame } from './shell/frame-parts.ts';
import { switchTo } from './switch-language.ts';

/** Target and label of the user link: the parent's name, or the label Admin. */
function useUserLink() {
  const { t } = useTranslation('shell');
  const { parent, admin } = useSession();
  const may = useMay();
  if (parent.identity !== null) return { to: '/profile', label: parent.identity.name, isAdmin: false };
  return {
    to: !admin.isAuthenticated ? '/adminPreLogin' : may('families.view') ? '/adminDashboard' : '/account',
    label: t('admin'),
    isAdmin: true,
  };
}

function LanguageSwitch() {
  const { t } = useTranslation('shell');
  const other = currentLanguage() === 'ar' ? 'en' : 'ar';
  return (
    <ActionButton
      look="quiet"
      className={styles.language}
      icon={<IconLanguage size={18} aria-hidden />}
      onClick={() => void switchTo(other)}
      aria-label={t('switchLanguage')}
      lang={other}
    >
      {t('language')}
    </ActionButton>
  );
}

/** The browser's own popover: Escape and a press elsewhere close it, and the focus returns. */
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

/** Links to the sections of the overview page; they work on every page. */
function Anchors() {
  const { t } = useTranslation('shell');
  return ANCHORS.map((name) => (
    <Link key={name} to={`/overview#${name}-section`} className={styles.anchor}>
      {t(`nav.${name}`)}
    </Link>
  ));
}

/**
 * The browser's own modal dialog keeps the focus inside and closes on Escape; this component closes it on a backdrop
 * click.
 */
function MobileMenu({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('shell');
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
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: following a link with the keyboard is a click too */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: presses go to the links inside */}
      <div className={styles.menuLinks} onClick={onClose}>
        <nav className={styles.menuLinks} aria-label={t('menu.title')}>
          <Anchors />
        </nav>
        <ActionLink to="/login">{t('loginRegister')}</ActionLink>
        <ActionLink to="/adminPreLogin" look="light">
          {t('adminPanel')}
        </ActionLink>
      </div>
      <div className={styles.menuFoot}>
        <AppearanceChoice />
      </div>
    </dialog>
  );
}

/** A visitor's way in, and on narrow screens the menu with the sections. */
function VisitorTools() {
  const { t } = useTranslation('shell');
  const [opened, setOpened] = useState(false);
  const close = useCallback(() => setOpened(false), []);
  const { key } = useLocation();
  // Close the menu after a link in it or after the browser's Back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the navigation is the trigger
  useEffect(() => setOpened(false), [key]);
  return (
    <>
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
      <MobileMenu opened={opened} onClose={close} />
    </>
  );
}

/** Shown while the event stream is reconnecting. Its place in the header covers nothing. */
function ReconnectingMark() {
  const { t } = useTranslation('shell');
  const isOnline = useOnline();
  if (useLiveState() !== 'reconnecting' || !isOnline) return null;
  return (
    <div className={styles.reconnecting} role="status" title={t('reconnectingHint')}>
      <span className={styles.spinner} aria-hidden="true" />
      <span className={styles.reconnectingText}>{t('reconnecting')}</span>
    </div>
  );
}

/** The product and whose it is. While the facility has no name, the product alone. */
function Brand({ logoSize }: { logoSize: number }) {
  const { t } = useTranslation('shell');
  const facility = usePublicName();
  return (
    <Link
      to="/"
      className={styles.brand}
      aria-label={facility === null ? t('home') : t('homeOf', { name: `\u2068${facility}\u2069` })}
      title={facility ?? undefined}
    >
      <Logo size={logoSize} />
      <span aria-hidden="true">{productName(currentLanguage())}</span>
      {facility === null ? null : (
        <span className={styles.facility} aria-hidden="true">
          <bdi>{facility}</bdi>
        </span>
      )}
    </Link>
  );
}

export interface HeaderProps {
  /** The parts for the signed-in account; null for visitors and until they have loaded. */
  frame: SessionFrame | null;
  /** The screen has the staff's sidebar, so the header is as wide as both. */
  isStaffScreen: boolean;
}

export function Header({ frame, isStaffScreen }: HeaderProps) {
  const { t } = useTranslation('shell');
  const { parent, admin, isLoading, problem } = useSession();
  // A person with a token sees no marketing, not even before the account is known.
  const isVisitor = !isLoading && problem === null && !parent.isAuthenticated && !admin.isAuthenticated;
  return (
    <header className={styles.header} data-slim={!isVisitor || undefined}>
      <div className={styles.inner} data-wide={isStaffScreen || undefined}>
        <Brand logoSize={isVisitor ? 36 : 32} />
        {isVisitor ? (
          <nav className={styles.anchors} aria-label={t('nav.label')}>
            <Anchors />
          </nav>
        ) : null}
        {frame?.HeaderLinks ? <frame.HeaderLinks /> : null}
        <div className={styles.tools}>
          <ReconnectingMark />
          {frame === null ? null : <frame.HeaderTools hasRail={isStaffScreen} />}
          <LanguageSwitch />
          <AppearanceMenu />
          {isVisitor ? (
            <VisitorTools />
          ) : (
            <>
              <UserLink className={styles.wideOnly} />
              <div className={styles.account}>{frame === null ? null : <frame.AccountMenu />}</div>
            </>
          )}
        </div>
      </div>
    </header>
  );
}
