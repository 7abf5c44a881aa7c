/** Surface for content. */
import { createPolymorphicComponent, Paper, type PaperProps } from '@mantine/core';
import styles from './card.module.css';

function CardSurface({ className, ...rest }: PaperProps) {
  return (
    <Paper
      p={{ base: 'md', sm: 'lg' }}
      radius="lg"
      {...rest}
      className={[styles.card, className].filter(Boolean).join(' ')}
    />
  );
}

/** A raised surface with the border and shadow of the design; `component` makes it a section or a link. */
export const Card = createPolymorphicComponent<'div', PaperProps>(CardSurface);
