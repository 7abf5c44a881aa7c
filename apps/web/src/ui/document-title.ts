/** The name of the browser tab. */
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { productName } from '../i18n/product-name.ts';

/** Names the browser tab after the screen and the product; after the product alone where the screen has no title. */
export function useDocumentTitle(title?: string): void {
  const { i18n } = useTranslation();
  const product = productName(i18n.language);
  useEffect(() => {
    document.title = title === undefined ? product : `${title} · ${product}`;
  }, [title, product]);
}
