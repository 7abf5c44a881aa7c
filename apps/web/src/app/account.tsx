/** Joins the account with the shell's choices and the recognition, because features do not import each other. */
import type { Language } from '@haris/contract/fields';
import AccountScreen, { LanguageChoice } from '../features/account/account-screen.tsx';
import { DeskPinCard } from '../features/desk-pin/desk-pin-card.tsx';
import { KioskPinCard } from '../features/kiosk-pin/kiosk-pin-card.tsx';
import { GuardianCard } from '../features/recognition/guardian-card.tsx';
import { StaffRecognitionCard } from '../features/recognition/staff-recognition.tsx';
import { FactorsCard } from '../features/security/factors-card.tsx';
import { LinksCard } from '../features/security/links-card.tsx';
import { SessionsCard } from '../features/security/sessions-card.tsx';
import { currentLanguage } from '../i18n/i18n.ts';
import { useSession } from '../session/session.tsx';
import { DeskCodeCard } from '../vouching/desk-code-card.tsx';
import { AppearanceChoice } from './appearance.tsx';
import { switchTo } from './switch-language.ts';

export default function Account() {
  const isParent = useSession().parent.isAuthenticated;
  return (
    <AccountScreen
      language={
        <LanguageChoice
          value={currentLanguage()}
          onChange={(language) => void switchTo(language as Language)}
        />
      }
      appearance={<AppearanceChoice />}
      security={
        <>
          <FactorsCard />
          {isParent ? null : <LinksCard />}
          <SessionsCard />
        </>
      }
      recognition={
        isParent ? (
          <>
            <KioskPinCard />
            <GuardianCard />
            <DeskCodeCard />
          </>
        ) : (
          <>
            <DeskPinCard />
            <StaffRecognitionCard />
          </>
        )
      }
    />
  );
}
