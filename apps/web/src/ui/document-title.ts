/** The name of the browser tab, and a count before it of what wants attention now. */
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { productName } from '../i18n/product-name.ts';

let name = '';
let mark = '';

function show(): void {
  document.title = mark + name;
}

/** Puts a text before the name of every tab title, '' for none: `(2) `. */
export function markDocumentTitle(text: string): void {
  mark = text;
  if (name !== '') show();
}

/** Names the browser tab after the screen and the product; after the product alone where the screen has no title. */
export function useDocumentTitle(title?: string): void {
  const { i18n } = useTranslation();
  const product = productName(i18n.language);
  useEffect(() => {
    name = title === undefined ? product : `${title} · ${product}`;
    show();
  }, [title, product]);
}
