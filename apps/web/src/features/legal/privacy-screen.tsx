/** Privacy page: stored data, retention and access; docs/privacy.md in words for visitors. */
import { useTranslation } from 'react-i18next';
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
      'childCollectors',
      'childReleases',
      'childStays',
      'childRooms',
      'childBookings',
      'childAbsences',
      'kioskRequests',
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

export default function PrivacyScreen() {
  const { t } = useTranslation('legal');
  return (
    <Page title={t('privacy.title')} description={t('privacy.lead')} size="md">
      <Card className={styles.text ?? ''}>
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
