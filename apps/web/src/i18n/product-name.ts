/** The product's name in each language. */
import { PRODUCT_NAME } from '@haris/contract/constants';

/** The name in the language of the page (`i18n.language`). */
export function productName(language: string): string {
  return language === 'ar' ? 'حارس' : PRODUCT_NAME;
}
