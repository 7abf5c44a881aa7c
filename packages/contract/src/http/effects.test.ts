/**
 * What each call that writes does, and that a copied session alone cannot do what cannot be taken back (decision 025). A
 * new call has to be added here: the table does not compile without it.
 */
import { expect, test } from 'vitest';
import type { ProofRule, Route } from './route.ts';
import { routes } from './routes.ts';

type Routes = typeof routes;
type Writing = {
  [Id in keyof Routes]: Routes[Id]['method'] extends 'GET' ? never : Id;
}[keyof Routes];

/**
 * Effects that want a proof. `silences`: an alert, or what watches, is switched off, moved or set duller. `erases`: what people gave
 * or what was recorded is gone. `exports`: rows leave as a file. `shows`: a picture of another part of the house, or less of it
 * hidden. `signs in`: makes, changes or vouches for a way in: an account, a password, a key, a factor, a pairing, a right. `lets
 * go`: makes it easier to take a child. `ends`: shuts somebody else out.
 */
type Dangerous = 'silences' | 'erases' | 'exports' | 'shows' | 'signs in' | 'lets go' | 'ends';
/**
 * Without a proof: `is a proof` (the call carries a password, a factor or a token of its own), `day` (the daily work at the
 * desk or of a family: it can be undone or is confirmed by staff), `urgent` (in an emergency nobody types a password), `own` (what concerns
 * the calling session or account alone, or takes a right of its own away), `limited` (one family at a time; beyond a number per account the server asks all the same),
 * `empty` (adds or removes something that nobody gave).
 */
type Harmless = 'is a proof' | 'day' | 'urgent' | 'own' | 'limited' | 'empty';

const EFFECTS: Readonly<Record<Writing, Dangerous | Harmless>> = {
  // Ways in.
  adminLogin: 'is a proof',
  parentLogin: 'is a proof',
  forgotPassword: 'is a proof',
  resetPassword: 'is a proof',
  disownRegistration: 'is a proof',
  startParent: 'is a proof',
  resendOwnLink: 'is a proof',
  readOwnRegistration: 'is a proof',
  answerEmailChange: 'is a proof',
  createDeskCode: 'is a proof',
  proveSession: 'is a proof',
  beginProof: 'is a proof',
  finishSignIn: 'is a proof',
  beginPasskeySignIn: 'is a proof',
  signInByPasskey: 'is a proof',
  beginOidc: 'is a proof',
  finishOidc: 'is a proof',
  beginOidcProof: 'is a proof',
  finishOidcProof: 'is a proof',
  pairDevice: 'is a proof',
  pairKiosk: 'is a proof',
  confirmReach: 'is a proof',
  confirmNotice: 'is a proof',
  showPass: 'is a proof',
  sendReadings: 'is a proof',
  identifyAtKiosk: 'is a proof',
  leaveKiosk: 'is a proof',
  leaveDesk: 'is a proof',
  beginDeskPasskey: 'is a proof',
  signInAtDesk: 'is a proof',
  changePassword: 'signs in',
  beginApp: 'signs in',
  confirmApp: 'signs in',
  beginPasskey: 'signs in',
  addPasskey: 'signs in',
  removeFactor: 'signs in',
  renewRecoveryCodes: 'signs in',
  resetStaffFactors: 'signs in',
  resetParentFactors: 'signs in',
  setKioskPin: 'signs in',
  setDeskPin: 'signs in',
  resetDeskPin: 'ends',
  createAdmin: 'signs in',
  markAdminVerified: 'signs in',
  changeStaffEmail: 'signs in',
  setOwnAddress: 'signs in',
  createRole: 'signs in',
  updateRole: 'signs in',
  deleteRole: 'signs in',
  setStaffRoles: 'signs in',
  createFacility: 'signs in',
  decideApproval: 'signs in',
  removeOwnLink: 'signs in',
  removeStaffLink: 'signs in',
  updateParent: 'signs in',
  importParents: 'signs in',
  createSensor: 'signs in',
  renewSensorSecrets: 'signs in',
  createHomeAssistantAccount: 'signs in',
  updateWebhook: 'signs in',
  updateMailServer: 'signs in',
  deleteMailServer: 'signs in',
  testMailServer: 'signs in',
  createPairing: 'signs in',
  createKioskPairing: 'signs in',
  startParentRecognition: 'signs in',
  startOwnRecognition: 'signs in',
  updateOwnProfile: 'signs in',
  askGuardian: 'signs in',
  setGuardianRights: 'signs in',
  createParent: 'limited',
  addParent: 'limited',
  // Agrees to a colleague's change of the address.
  resendParentLink: 'signs in',
  // To an account that exists.
  resendAdminLink: 'day',
  // The desk, with the person in front of it; a family alone gets a link to its own address.
  markParentVerified: 'day',

  // What is gone afterwards.
  deleteParent: 'erases',
  deleteChild: 'erases',
  deleteAdmin: 'erases',
  removeChildPhoto: 'erases',
  removeOwnPhoto: 'erases',
  stopParentRecognition: 'erases',
  stopOwnRecognition: 'erases',
  removeSampleData: 'empty',
  addSampleData: 'empty',

  // What watches, and what it shows.
  updateSettings: 'silences',
  createCamera: 'shows',
  updateCamera: 'shows',
  deleteCamera: 'silences',
  updateSensor: 'silences',
  deleteSensor: 'silences',
  deleteHomeAssistantAccount: 'silences',
  updateRoom: 'silences',
  deleteRoom: 'silences',
  createRoom: 'empty',
  createKiosk: 'empty',
  updateKiosk: 'empty',
  // A paired device stops at once, and staff are at the desk when it does; nothing that watches ends with it.
  deleteKiosk: 'day',
  updateSetup: 'empty',
  createReachCode: 'empty',

  // Who takes a child.
  addCollector: 'lets go',
  updateCollector: 'lets go',
  setCollectorPhoto: 'lets go',
  removeCollectorPhoto: 'lets go',
  createCollectorPass: 'lets go',
  liftBarred: 'lets go',
  markNamesake: 'lets go',
  // The barred adult would look like another one, or like nobody.
  setBarredPhoto: 'lets go',
  removeBarredPhoto: 'lets go',
  blockParent: 'ends',
  // Takes a way to fetch the child away.
  removeCollector: 'day',
  // Of the first guardian: the next one may take the child.
  endGuardian: 'lets go',
  revokeCollectorPass: 'own',
  addBarred: 'ends',
  // Six digits for a desk that compares the person with the photo.
  createPickupCode: 'own',
  createKioskCode: 'own',

  // The day at the desk.
  confirmParent: 'day',
  createChild: 'day',
  updateChild: 'day',
  confirmChild: 'day',
  addChildPhoto: 'day',
  registerFace: 'day',
  checkFace: 'day',
  guideFace: 'day',
  checkInChild: 'day',
  checkOutChild: 'day',
  extendStay: 'day',
  undoExtendStay: 'day',
  undoCheckInChild: 'day',
  undoCheckOutChild: 'day',
  findEntry: 'day',
  setPresence: 'day',
  moveChildren: 'day',
  startHeadCount: 'day',
  tickHeadCount: 'urgent',
  endHeadCount: 'urgent',
  saveCareCard: 'day',
  addCareLogEntry: 'day',
  acknowledgeCareLogEntry: 'day',
  announcePickup: 'day',
  markPickupSeen: 'day',
  cancelPickup: 'day',
  reportUnexpectedRelease: 'day',
  setBookings: 'day',
  removeBookings: 'day',
  setBookedDay: 'day',
  removeBookedDay: 'day',
  reportAbsence: 'day',
  withdrawAbsence: 'day',
  announceArrival: 'day',
  signInVisitor: 'day',
  signOutVisitor: 'day',
  addChildFacility: 'day',
  removeChildFacility: 'day',
  acceptKioskRequest: 'day',
  refuseKioskRequest: 'day',
  askAtKiosk: 'day',
  cancelKioskVisit: 'day',
  resetKioskPin: 'day',
  createTicket: 'day',
  previewParentImport: 'day',

  // An alarm or an evacuation that waits for a password is worse than one that somebody ends.
  acknowledgeIncident: 'urgent',
  acknowledgeIncidents: 'urgent',
  reportMissingChild: 'urgent',
  markChildFound: 'urgent',
  startEvacuation: 'urgent',
  startDeskEvacuation: 'urgent',
  sendEvacuationTicks: 'urgent',
  endEvacuation: 'urgent',

  // What has happened at a desk is not refused when it is told later; each entry carries the ticket of a sign-in.
  sendDeskEntries: 'day',
  // What a desk wrote becomes a release with another adult or time.
  settleDeskConflict: 'lets go',
  keepDeskConflicts: 'lets go',

  // The calling session or account alone.
  logout: 'own',
  setLanguage: 'own',
  endSession: 'own',
  endOtherSessions: 'own',
  pressSession: 'own',
  // The right was given by staff, with a proof.
  answerGuardianRequest: 'own',
  withdrawApproval: 'own',
  removeDeskPin: 'own',
  removeKioskPin: 'own',
  addPushDevice: 'own',
  removePushDevice: 'own',
  // The kinds of `locked` reach a staff member whatever the choice.
  updateNoticePreferences: 'own',
  sendNoticeTest: 'own',
};

const DANGEROUS: readonly string[] = [
  'silences',
  'erases',
  'exports',
  'shows',
  'signs in',
  'lets go',
  'ends',
] satisfies readonly Dangerous[];

const byId: Readonly<Record<string, Route>> = routes;

test('the table has every call that writes, and no other', () => {
  const writing = Object.values(byId).filter(({ method }) => method !== 'GET');
  expect(Object.keys(EFFECTS).toSorted()).toEqual(writing.map(({ id }) => id).toSorted());
});

test.each(Object.entries(EFFECTS))('%s (%s) has the proof of its effect', (id, effect) => {
  expect(byId[id]?.proof !== undefined, id).toBe(DANGEROUS.includes(effect));
});

test('staff need a proof for whatever they may erase, silence or show', () => {
  const rules = Object.entries(EFFECTS).flatMap(
    ([id, effect]): (readonly [string, ProofRule | undefined])[] => {
      const route = byId[id];
      const isForStaff = route?.access === 'staff' || route?.access === 'signed-in';
      return isForStaff && ['erases', 'silences', 'shows'].includes(effect) ? [[id, route.proof]] : [];
    },
  );
  const parentsAlone = rules.filter(([, proof]) => proof === 'parent').map(([id]) => id);
  // Staff switch recognition of a parent off when the parent asks for it at the desk; the parent's own photo stays.
  expect(parentsAlone).toEqual(['stopParentRecognition']);
});

test('rows that leave as a file need a proof', () => {
  const files = Object.values(byId).filter(({ answer }) => answer === 'text/csv');
  expect(files.length).toBeGreaterThan(1);
  for (const { id, proof } of files) expect(proof, id).toBe('always');
});
