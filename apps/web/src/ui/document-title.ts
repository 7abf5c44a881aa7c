/** Title of the browser tab: the screen and the facility, with a count of items that need attention. */
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { productName } from '../i18n/product-name.ts';

let name = '';
let product = '';
let facility: string | null = null;
let mark = '';

function show(): void {
  const titled = name === '' ? (facility === null ? [] : [facility, product]) : [name, facility ?? product];
  document.title = mark + (titled.length === 0 ? product : titled.join(' · '));
}

/** Names all titles after the facility; null: after the product alone. */
export function nameDocumentTitles(name: string | null): void {
  facility = name;
  if (product !== '') show();
}

/** Puts a text such as `(2) ` before the title of each screen; '' removes it. */
export function markDocumentTitle(text: string): void {
  mark = text;
  if (product !== '') show();
}

/**
 * Names the browser tab after the screen and the facility, or after the facility and the product if the screen has no
 * title. While the facility has no name, the product's stands for it.
 */
export function useDocumentTitle(title = ''): void {
  const { i18n } = useTranslation();
  const { language } = i18n;
  useEffect(() => {
    name = title;
    product = productName(language);
    show();
  }, [title, language]);
}
