/** Shows the dialog for a proof when a call needs one; loads the dialog's code on first use. */
import { type ComponentType, useEffect, useState } from 'react';
import { settleProof, useProofAsked } from '../calls/proof.ts';
import { loadTexts } from '../i18n/i18n.ts';

async function loadDialog(): Promise<ComponentType> {
  const [dialog] = await Promise.all([
    import('../session/proof-dialog.tsx'),
    import('../ui/library-styles.ts'),
    loadTexts(['password', 'auth', 'security']),
  ]);
  return dialog.default;
}

export function ProofOfSession() {
  const isAsked = useProofAsked() !== null;
  const [Question, setQuestion] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (!isAsked || Question !== null) return;
    // Without the dialog nobody can give the proof: the call fails, and the next call tries again.
    loadDialog().then(
      (loaded) => setQuestion(() => loaded),
      () => settleProof('impossible'),
    );
  }, [isAsked, Question]);
  return Question === null ? null : <Question />;
}
