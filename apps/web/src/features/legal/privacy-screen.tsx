/**
 * Privacy page: first what a parent wants to know, in plain words; then stored data, retention and access, as in
 * docs/privacy.md.
 */
import { useTranslation } from 'react-i18next';
import { useFacility } from '../../calls/use-facility.ts';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import styles from './legal.module.css';

/** The rows of the table in docs/privacy.md, in its order; a test compares the two. */
export const PRIVACY_ROWS = [
  ['parent', ['parentDetails', 'parentPassword', 'parentPin', 'parentPhoto', 'parentFace', 'accountOrigin']],
  [
    'child',
    [
      'childName',
      'childBirthDate',
      'childPhoto',
      'childFace',
      'unconfirmed',
      'childCare',
      'childLog',
      'childGuardians',
      'childCollectors',
      'childCollectorPhotos',
      'childBarredPhotos',
      'childReleases',
      'childStays',
      'childRooms',
      'childHeadCounts',
      'childBookings',
      'childAbsences',
      'kioskRequests',
      'childDeskEntries',
      'childDeskList',
      'childSightings',
      'childIncidents',
      'rollCalls',
    ],
  ],
  [
    'employee',
    [
      'employeeDetails',
      'employeePhoto',
      'employeeNationalId',
      'employeeProvider',
      'employeePin',
      'employeeDeskTickets',
      'employeeFace',
      'employeeActions',
    ],
  ],
  [
    'everyone',
    [
      'livePictures',
      'air',
      'incidents',
      'events',
      'erasures',
      'visitors',
      'sessions',
      'mails',
      'noticeDevices',
      'noticeWishes',
      'noticeChoicesLogged',
      'recognitionLogged',
      'noticesWaiting',
      'noticesSent',
      'failedSignIns',
      'knownPlaces',
      'failedSignInsLogged',
      'addresses',
    ],
  ],
] as const;

const FACTS = ['where', 'long', 'who'] as const;
const PARTS = [
  'keys',
  'backups',
  'deleting',
  'looked',
  'logs',
  'leaves',
  'notices',
  'who',
  'device',
] as const;

const PLAIN = ['family', 'pictures', 'seen', 'deleted'] as const;

export default function PrivacyScreen() {
  const { t } = useTranslation('legal');
  return (
    <Page title={t('privacy.title')} description={t('privacy.lead')} size="md">
      <Plain />
      <Card className={styles.text ?? ''} mt="lg">
        <details className={styles.tables}>
          <summary>{t('privacy.tables')}</summary>
          <div className={styles.text}>
            {PRIVACY_ROWS.map(([group, rows]) => (
              <section key={group}>
                <h2>{t(`privacy.groups.${group}`)}</h2>
                {rows.map((row) => (
                  <div key={row} className={styles.row}>
                    <h3>{t(`privacy.rows.${row}.what`)}</h3>
                    <dl>
                      {FACTS.map((fact) => (
                        <div key={fact}>
                          <dt>{t(`privacy.labels.${fact}`)}</dt>
                          <dd>{t(`privacy.rows.${row}.${fact}`)}</dd>
                        </div>
                      ))}
                    </dl>
                  </div>
                ))}
              </section>
            ))}
          </div>
        </details>
        {PARTS.map((part) => (
          <section key={part}>
            <h2>{t(`privacy.${part}`)}</h2>
            <p>{t(`privacy.${part}Text`)}</p>
          </section>
        ))}
      </Card>
    </Page>
  );
}

/** What a parent wants to know. Promises nothing that the nursery, and not the program, decides. */
function Plain() {
  const { t } = useTranslation('legal');
  const facility = useFacility();
  const name = facility?.name ?? null;
  const phone = facility?.phone ?? null;
  return (
    <Card className={styles.text ?? ''}>
      <section>
        <h2>{t('privacy.plain.responsibleTitle')}</h2>
        <p>
          {name === null
            ? t('privacy.plain.responsible')
            : t('privacy.plain.responsibleNamed', { nursery: `\u2068${name}\u2069` })}{' '}
          {phone === null
            ? t('privacy.plain.ask')
            : t('privacy.plain.askAt', { phone: `\u2066${phone}\u2069` })}
        </p>
      </section>
      {PLAIN.map((part) => (
        <section key={part}>
          <h2>{t(`privacy.plain.${part}Title`)}</h2>
          <p>{t(`privacy.plain.${part}`)}</p>
        </section>
      ))}
    </Card>
  );
}
