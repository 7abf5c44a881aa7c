/** Words of allergies in the page's language. */
import type { SignedAllergy } from '@haris/contract/care-card';
import { useTranslation } from 'react-i18next';

export interface AllergyWords {
  /** The family's own words, else the allergen: “Peanut butter”, “Milk”. */
  nameOf: (allergy: Pick<SignedAllergy, 'allergen' | 'substance'>) => string;
  /** Names and severities of several, for one sentence. */
  listOf: (allergies: readonly SignedAllergy[]) => string;
}

export function useAllergyWords(): AllergyWords {
  const { t } = useTranslation('care-card');
  const nameOf: AllergyWords['nameOf'] = ({ allergen, substance }) =>
    substance === '' ? t(`allergen.${allergen}`) : substance;
  const listOf = (allergies: readonly SignedAllergy[]) =>
    allergies
      .map((allergy) => t('sign.one', { name: nameOf(allergy), severity: t(`severity.${allergy.severity}`) }))
      .join(t('sign.comma'));
  return { nameOf, listOf };
}
