/** Frame of the short legal pages: a lead, and paragraphs with one heading each. */
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import styles from './legal.module.css';

export interface LegalPageProps {
  title: string;
  lead: string;
  /** Heading and text of each paragraph, in order. */
  parts: readonly (readonly [heading: string, text: string])[];
}

export function LegalPage({ title, lead, parts }: LegalPageProps) {
  return (
    <Page title={title} description={lead} size="md">
      <Card className={styles.text ?? ''}>
        {parts.map(([heading, text]) => (
          <section key={heading}>
            <h2>{heading}</h2>
            <p>{text}</p>
          </section>
        ))}
      </Card>
    </Page>
  );
}
