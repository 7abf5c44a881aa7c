/**
 * The landing page (spec §2): hero, about, features, pricing, contact. Unknown paths also lead here, with a message.
 */

// Use icons that no other screen uses: a shared icon becomes its own chunk, whose response headers outweigh it.
import { IconArrowRight, IconMail, IconMapPinOff, IconPhoneCall } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { useSession } from '../../session/session.tsx';
import { usePublicName } from '../../start/facility-name.ts';
import { ActionLink } from '../../ui/action.tsx';
import { useDocumentTitle } from '../../ui/document-title.ts';
import { ShelterScene } from '../../ui/shelter-scene.tsx';
import styles from './home.module.css';
import { useSeen } from './use-seen.ts';
import {
  AirVignette,
  AuditVignette,
  CountdownVignette,
  LiveVignette,
  OwnVignette,
  SealedVignette,
} from './vignettes.tsx';
import { Waiting } from './waiting.tsx';

/** Visible share of the grid at which its cards fade in (spec §9). */
const CARDS_SEEN_AT = 0.2;

const FEATURES = [
  ['live', LiveVignette],
  ['countdown', CountdownVignette],
  ['air', AirVignette],
  ['sealed', SealedVignette],
  ['audit', AuditVignette],
  ['own', OwnVignette],
] as const satisfies readonly (readonly [string, ComponentType])[];

/** Reserved for examples (RFC 2606), so they reach nobody. */
const PLACEHOLDER_EMAIL = 'support@haris.example';
const PLACEHOLDER_PHONE = '010 0000 0000';

interface SectionProps {
  id: string;
  title: string;
  className?: string | undefined;
  children: ReactNode;
}

/** A section that the header's links point to; its heading can take the focus. */
function Section({ id, title, className, children }: SectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={styles.section}>
      <div className={[styles.inner, className].filter(Boolean).join(' ')}>
        <h2 id={`${id}-title`} className={styles.title} tabIndex={-1}>
          {title}
        </h2>
        {children}
      </div>
    </section>
  );
}

function Hero() {
  const { t } = useTranslation('home');
  const { parent, admin } = useSession();
  const isVisitor = !parent.isAuthenticated && !admin.isAuthenticated;
  const facility = usePublicName();
  return (
    <section id="main-content" aria-labelledby="main-content-title" className={styles.section}>
      <div className={`${styles.inner} ${styles.hero}`}>
        <div className={styles.heroText}>
          <p className={styles.welcome}>
            {t('welcome')}
            {facility === null ? null : <bdi className={styles.facility}>{facility}</bdi>}
          </p>
          <h1 id="main-content-title" className={styles.headline} tabIndex={-1}>
            {t('headline')}
          </h1>
          <p className={styles.lead}>{t('intro')}</p>
          {isVisitor ? (
            <ActionLink
              to="/login"
              size="large"
              className={styles.wayIn}
              iconAfter={<IconArrowRight size={20} className={styles.arrow} aria-hidden />}
            >
              {t('loginRegister')}
            </ActionLink>
          ) : null}
          <ul className={styles.facts} aria-label={t('facts.label')}>
            <li>{t('facts.own')}</li>
            <li>{t('facts.sealed')}</li>
            <li>{t('facts.languages')}</li>
          </ul>
        </div>
        <ShelterScene className={styles.scene} />
      </div>
    </section>
  );
}

function About() {
  const { t } = useTranslation('home');
  return (
    <Section id="about-section" title={t('about.title')} className={styles.about}>
      <div className={styles.aboutText}>
        <p className={styles.lead}>{t('about.lead')}</p>
        <p>{t('about.body')}</p>
        <p className={styles.quiet}>{t('about.live')}</p>
      </div>
      <ol className={styles.steps}>
        <li>{t('about.step1')}</li>
        <li>{t('about.step2')}</li>
        <li>{t('about.step3')}</li>
      </ol>
    </Section>
  );
}

function Features() {
  const { t } = useTranslation('home');
  const { ref, isSeen } = useSeen(CARDS_SEEN_AT);
  return (
    <Section id="features-section" title={t('features.title')}>
      <p className={styles.lead}>{t('features.lead')}</p>
      <ul ref={ref} className={styles.cards} data-seen={isSeen || undefined}>
        {FEATURES.map(([name, Vignette]) => (
          <li key={name} className={styles.card}>
            <Vignette />
            <h3>{t(`features.${name}.title`)}</h3>
            <p>{t(`features.${name}.text`)}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Pricing() {
  const { t } = useTranslation('home');
  return (
    <Section id="pricing-section" title={t('pricing.title')} className={styles.pricing}>
      <p className={styles.lead}>{t('pricing.text')}</p>
    </Section>
  );
}

function Contact() {
  const { t } = useTranslation('home');
  return (
    <Section id="contact-section" title={t('contact.title')}>
      <p className={styles.lead}>{t('contact.text')}</p>
      <dl className={styles.contacts}>
        <div className={styles.contact}>
          <IconMail size={28} aria-hidden />
          <dt>
            {t('contact.email')} <span className={styles.mark}>{t('contact.placeholder')}</span>
          </dt>
          <dd>
            <bdi dir="ltr">{PLACEHOLDER_EMAIL}</bdi>
          </dd>
        </div>
        <div className={styles.contact}>
          <IconPhoneCall size={28} aria-hidden />
          <dt>
            {t('contact.phone')} <span className={styles.mark}>{t('contact.placeholder')}</span>
          </dt>
          <dd>
            <bdi dir="ltr">{PLACEHOLDER_PHONE}</bdi>
          </dd>
        </div>
      </dl>
      <p className={styles.quiet}>{t('contact.note')}</p>
    </Section>
  );
}

/** Focuses the heading of the section named in the address; the router has already scrolled to it. */
function useFocusOnSection() {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: following the same anchor again is a new key
  useEffect(() => {
    if (hash !== '') document.getElementById(`${hash.slice(1)}-title`)?.focus({ preventScroll: true });
  }, [hash, key]);
}

export default function HomeScreen() {
  const { t } = useTranslation('home');
  const { pathname } = useLocation();
  const isKnown = pathname === '/' || pathname === '/overview';
  useDocumentTitle(isKnown ? undefined : t('notFoundTitle'));
  useFocusOnSection();
  return (
    <div className={styles.home}>
      {isKnown ? null : (
        <div className={styles.notFound} role="alert">
          <IconMapPinOff size={22} aria-hidden />
          {t('notFound')}
        </div>
      )}
      <Waiting />
      <Hero />
      <About />
      <Features />
      <Pricing />
      <Contact />
    </div>
  );
}
