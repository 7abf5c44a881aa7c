/** Shows the question for a proof where a call wants one; its code comes with the first question. */
import { type ComponentType, useEffect, useState } from 'react';
import { settleProof, useProofAsked } from '../client/proof.ts';
import { loadTexts } from '../i18n/i18n.ts';

async function loadDialog(): Promise<ComponentType> {
  const [dialog] = await Promise.all([
    import('../client/proof-dialog.tsx'),
    import('../ui/library-styles.ts'),
    loadTexts(['password', 'auth']),
  ]);
  return dialog.default;
}

export function ProofOfSession() {
  const isAsked = useProofAsked();
  const [Question, setQuestion] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (!isAsked || Question !== null) return;
    // Without the dialog nobody can answer: the call fails, and another try asks again.
    loadDialog().then(
      (loaded) => setQuestion(() => loaded),
      () => settleProof(false),
    );
  }, [isAsked, Question]);
  return Question === null ? null : <Question />;
}
