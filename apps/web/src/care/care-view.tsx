/** A care card to read: what is dangerous first. Makes no calls. */
import { type Allergy, type CareCard, isEmptyCard } from '@haris/contract/care-card';
import { Badge, Text } from '@mantine/core';
import { IconPhone } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { AllergenIcon } from './allergen-icon.tsx';
import classes from './care.module.css';
import { useDays } from './format.ts';
import { useAllergyWords } from './words.ts';

export function CareView({ card }: { card: CareCard }) {
  const { t } = useTranslation('care-card');
  if (isEmptyCard(card)) return <Text c="dimmed">{t('view.empty')}</Text>;
  return (
    <div className={classes.view}>
      <Allergies allergies={card.allergies} />
      <Health card={card} />
      <People card={card} />
      <Papers card={card} />
      {card.note === '' ? null : (
        <Part title={t('part.note')}>
          <p className={classes.text}>
            <bdi>{card.note}</bdi>
          </p>
        </Part>
      )}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={classes.partTitle}>
        {title}
      </h3>
      {children}
    </section>
  );
}

function Allergies({ allergies }: { allergies: readonly Allergy[] }) {
  const { t } = useTranslation('care-card');
  const { nameOf } = useAllergyWords();
  if (allergies.length === 0) return null;
  const order = ['severe', 'moderate', 'mild'];
  const sorted = allergies.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  return (
    <Part title={t('part.allergies')}>
      <ul className={classes.entries}>
        {sorted.map((allergy) => (
          <li key={JSON.stringify(allergy)} className={classes.allergy} data-severity={allergy.severity}>
            <AllergenIcon allergen={allergy.allergen} size={30} />
            <div className={classes.words}>
              <div className={classes.allergyHead}>
                <strong>
                  <bdi>{nameOf(allergy)}</bdi>
                </strong>
                <span>{t(`severity.${allergy.severity}`)}</span>
              </div>
              {allergy.substance === '' || allergy.allergen === 'other' ? null : (
                <div>{t(`allergen.${allergy.allergen}`)}</div>
              )}
              {allergy.reaction === '' ? null : <Said label={t('field.reaction')} text={allergy.reaction} />}
              {allergy.action === '' ? null : <Said label={t('field.action')} text={allergy.action} />}
            </div>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Said({ label, text }: { label: string; text: string }) {
  return (
    <p className={classes.text}>
      <b>{label}</b> <bdi>{text}</bdi>
    </p>
  );
}

function Health({ card: { medicines, conditions, dietary } }: { card: CareCard }) {
  const { t } = useTranslation('care-card');
  return (
    <>
      {medicines.length === 0 ? null : (
        <Part title={t('part.medicines')}>
          <ul className={classes.entries}>
            {medicines.map((medicine) => (
              <li key={JSON.stringify(medicine)} className={classes.entry}>
                <div className={classes.words}>
                  <strong>
                    <bdi>{medicine.name}</bdi>
                  </strong>
                  <div>
                    <bdi>{[medicine.dose, medicine.when].filter(Boolean).join(' · ')}</bdi>
                  </div>
                  {medicine.permitted ? <div>{t('view.permitted')}</div> : null}
                </div>
                <Until label="field.until" day={medicine.untilDate} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      {conditions.length === 0 ? null : (
        <Part title={t('part.conditions')}>
          <ul className={classes.plain}>
            {conditions.map((condition) => (
              <li key={condition} className={classes.text}>
                <bdi>{condition}</bdi>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {dietary === '' ? null : (
        <Part title={t('part.dietary')}>
          <p className={classes.text}>
            <bdi>{dietary}</bdi>
          </p>
        </Part>
      )}
    </>
  );
}

function People({ card: { contacts, doctor } }: { card: CareCard }) {
  const { t } = useTranslation('care-card');
  return (
    <>
      {contacts.length === 0 ? null : (
        <Part title={t('part.contacts')}>
          <ul className={classes.entries}>
            {contacts.map((contact) => (
              <li key={JSON.stringify(contact)} className={classes.entry}>
                <Callee {...contact} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      {doctor === null ? null : (
        <Part title={t('part.doctor')}>
          <div className={classes.entry}>
            <Callee {...doctor} relation="" />
          </div>
        </Part>
      )}
    </>
  );
}

function Callee({ name, relation, phone }: CareCard['contacts'][number]) {
  const { t } = useTranslation('care-card');
  return (
    <>
      <div className={classes.words}>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        {relation === '' ? null : (
          <div>
            <bdi>{relation}</bdi>
          </div>
        )}
        <div>
          <bdi dir="ltr">{phone}</bdi>
        </div>
      </div>
      <a
        className={classes.call}
        href={`tel:${phone.replace(/[^+\d]/g, '')}`}
        aria-label={t('view.call', { name })}
      >
        <IconPhone size={20} aria-hidden />
      </a>
    </>
  );
}

function Papers({ card: { insurance, documents } }: { card: CareCard }) {
  const { t } = useTranslation('care-card');
  return (
    <>
      {insurance === null ? null : (
        <Part title={t('part.insurance')}>
          <div className={classes.entry}>
            <div className={classes.words}>
              <strong>
                <bdi>{insurance.company}</bdi>
              </strong>
              {insurance.number === '' ? null : (
                <div>
                  <bdi dir="ltr">{insurance.number}</bdi>
                </div>
              )}
            </div>
            <Until label="field.validUntil" day={insurance.validUntil} />
          </div>
        </Part>
      )}
      {documents.length === 0 ? null : (
        <Part title={t('part.documents')}>
          <ul className={classes.entries}>
            {documents.map((paper) => (
              <li key={JSON.stringify(paper)} className={classes.entry}>
                <div className={classes.words}>
                  <strong>{t(`document.${paper.kind}`)}</strong>
                  {paper.name === '' ? null : (
                    <div>
                      <bdi>{paper.name}</bdi>
                    </div>
                  )}
                </div>
                <Until label="field.validUntil" day={paper.validUntil} />
              </li>
            ))}
          </ul>
        </Part>
      )}
    </>
  );
}

/** The last day of something, marked if it is past or near. */
function Until({ label, day }: { label: 'field.until' | 'field.validUntil'; day: string | null }) {
  const { t } = useTranslation('care-card');
  const { dayOf, stateOf } = useDays();
  if (day === null) return null;
  const state = stateOf(day);
  return (
    <div className={classes.until}>
      <Text span size="sm">
        {t(label)} <time dateTime={day}>{dayOf(day)}</time>
      </Text>
      {state === null ? null : (
        <Badge size="lg" tt="none" fw={500} variant="light" color={state === 'ended' ? 'clay' : 'saffron'}>
          {t(`validity.${state}`)}
        </Badge>
      )}
    </div>
  );
}
