/** Joins the profile with the card that shows a child's time: features do not know each other. */
import { AirOfAreas, EnvironmentPanel } from '../features/environment/environment-panel.tsx';
import { NoticesLink } from '../features/notices/notices-link.tsx';
import { PasswordLink } from '../features/password/password-link.tsx';
import ProfileScreen from '../features/profile/profile-screen.tsx';
import { GuardianCard } from '../features/recognition/guardian-card.tsx';
import { TimeInAreaCard } from '../features/stays/time-in-area-card.tsx';

export default function Profile() {
  return (
    <ProfileScreen
      environment={<EnvironmentPanel />}
      recognition={<GuardianCard />}
      notices={<NoticesLink />}
      password={<PasswordLink />}
      renderDetails={(child) => <TimeInAreaCard child={child} air={<AirOfAreas />} />}
    />
  );
}
