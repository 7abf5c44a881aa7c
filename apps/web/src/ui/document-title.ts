/** Title of the browser tab, with a count of items that need attention. */
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { productName } from '../i18n/product-name.ts';

let name = '';
let mark = '';

function show(): void {
  document.title = mark + name;
}

/** Puts a text such as `(2) ` before the title of each screen; '' removes it. */
export function markDocumentTitle(text: string): void {
  mark = text;
  if (name !== '') show();
}

/** Names the browser tab after the screen and the product, or after the product alone if the screen has no title. */
export function useDocumentTitle(title?: string): void {
  const { i18n } = useTranslation();
  const product = productName(i18n.language);
  useEffect(() => {
    name = title === undefined ? product : `${title} · ${product}`;
    show();
  }, [title, product]);
}
