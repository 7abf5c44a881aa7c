/** Business constants of the specification (§5, §9) and of the contract; each stands here once. */

export const PRODUCT_NAME = 'Haris';

/** Languages of every page, mail and error. */
export const LANGUAGES = ['en', 'ar'] as const;

/** Where the web app asks what it needs before anyone signs in; here, so that its first load needs no schema. */
export const CLIENT_CONFIG_PATH = '/api/config';

/** The served page has a `<meta>` of this name where everything is invented, so that the first paint says so. */
export const DEMO_META_NAME = 'haris-demo';

/** Entry periods in whole minutes; the first is the default (spec §9). */
export const ENTRY_PERIODS_MINUTES = [30, 60, 120, 240] as const;
export const DEFAULT_ENTRY_PERIOD_MINUTES = 30;

/** A check-in or checkout made by mistake can be undone for this long; the server allows the network some more. Seconds. */
export const UNDO_WINDOW_SECONDS = 10;
export const UNDO_GRACE_SECONDS = 3;

/** Entry slips that one account may look up within a minute. */
export const ENTRY_LOOKUPS_PER_MINUTE = 120;

/** Password lengths in characters: parent (spec §9), staff and upper bound (contract §3). */
export const PARENT_PASSWORD_MIN = 6;
export const STAFF_PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;

/** Names are trimmed and 1–100 characters (code points) of any script. */
export const NAME_MAX = 100;

/** Largest photo accepted, in bytes (contract §4), and the longest side of the one that is kept, in pixels. */
export const PHOTO_MAX_BYTES = 8 * 1024 * 1024;
export const PHOTO_MAX_SIDE = 1024;

/** Photos that one child's face is known by: the one that is shown, and up to four more that make recognition better. */
export const PHOTOS_PER_CHILD = 5;

/** Of a face that is not surely known, staff are shown at most so many children to compare it with. */
export const FACE_QUESTION_CHILDREN = 3;

/** Narrowest face box accepted for enrolment, in pixels of the photo as sent (contract §4). */
export const ENROL_FACE_MIN_WIDTH = 80;

/** Page sizes of every list (contract §4). */
export const PAGE_LIMIT_DEFAULT = 50;
export const PAGE_LIMIT_MAX = 200;

/** The countdown is recomputed this often, in milliseconds (spec §9). */
export const COUNTDOWN_REFRESH_MS = 1000;

/** Toasts (spec §9): milliseconds on screen, and how many are kept. */
export const TOAST_ERROR_MS = 4000;
export const TOAST_BLANK_MS = 4000;
export const TOAST_SUCCESS_MS = 2000;
export const TOAST_LIMIT = 20;

/** Unused data is kept this long in the browser, in milliseconds (spec §9). */
export const DATA_CACHE_MS = 60_000;

/** The admin sidebar turns to its mobile layout below this width, in CSS pixels (spec §9). */
export const SIDEBAR_MOBILE_BELOW_PX = 768;

/** The browser keeps the session token in local storage under this key (spec §3). */
export const TOKEN_STORAGE_KEY = 'token';

/** Lifetimes in milliseconds (contract §2, §3). */
export const SESSION_MAX_MS = 30 * 24 * 3_600_000;
export const STAFF_SESSION_IDLE_MS = 12 * 3_600_000;
/** A sign-in, and each proof after it, lets a session do what wants a proof for this long (contract §6). */
export const PROOF_MS = 10 * 60_000;
export const VERIFY_LINK_MS = 24 * 3_600_000;
export const RESET_LINK_MS = 3_600_000;
export const INVITATION_LINK_MS = 7 * 24 * 3_600_000;
export const TICKET_MS = 60_000;

/**
 * Limits of signing in (contract §3). Within the window: failures of one account from one network, of one network over all
 * accounts, and of one desk's network over the accounts that have signed in from it. Failures of one account from anywhere
 * within a day, after which networks that it never signed in from have one try in `SLOWED_LOGIN_MS`. Right sign-ins of one
 * account, and right passwords of one that is not verified, within the window; sessions that an account has at most.
 */
export const THROTTLE_WINDOW_MS = 15 * 60_000;
export const LOGIN_FAILURES_PER_ACCOUNT = 5;
export const LOGIN_FAILURES_PER_ADDRESS = 20;
/** Wrong passwords that one session may give as a proof within the window. */
export const PROOF_FAILURES_PER_SESSION = 5;
export const LOGIN_FAILURES_AT_DESK = 100;
export const LOGIN_FAILURES_ANYWHERE = 50;
export const SLOWED_LOGIN_MS = 60_000;
export const SIGN_INS_PER_ACCOUNT = 100;
export const UNVERIFIED_SIGN_INS = 10;
export const SESSIONS_PER_ACCOUNT = 50;
/** Lifetime of the code that a guardian shows at the desk, and wrong tries that it allows. */
export const DESK_CODE_MS = 10 * 60_000;
export const DESK_CODE_TRIES = 5;
/** A fresh link of verification is mailed at most this often. */
export const MAIL_INTERVAL_MS = 5 * 60_000;

/** Face photos that a parent may send in a day: each costs computing time and could probe who is enrolled. */
export const FACE_CALLS_PER_DAY = 10;

/** Streams of events that one account may have open on one server; one more closes the oldest. */
export const EVENT_STREAMS_PER_ACCOUNT = 20;

/** Answer header with the server's clock (ISO 8601); the browser measures its offset from it. */
export const SERVER_TIME_HEADER = 'x-server-time';
/**
 * Answer header of a sign-in and of who is signed in: id of the newest event before it. A stream that begins behind it
 * (`Last-Event-ID`) misses nothing of what is read afterwards.
 */
export const EVENT_POSITION_HEADER = 'x-event-position';
/** Answer header with the id under which the logs know this request. */
export const REQUEST_ID_HEADER = 'x-request-id';
/** Answer header of an export: how many rows follow the header line. */
export const TOTAL_ROWS_HEADER = 'x-total-rows';
/** Request header of check-in, checkout, their undoing and import: the same key answers the same thing and does nothing twice. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';

/** Rows that one import may have. */
export const IMPORT_ROWS_MAX = 2000;

/** Days that sightings are kept, and minutes after which a child whom no camera saw is told of; until staff change it. */
export const SIGHTINGS_DAYS = 30;
export const NOT_SEEN_AFTER_MINUTES = 15;

/**
 * Pictures per second that a viewer is sent at most. More than the 15 that are aimed at: a camera of 15 whose pictures come
 * unevenly would lose every second one, and one of 30 gives 15.
 */
export const LIVE_MAX_FPS = 20;

/** Videos that one account may have open on one server; one more closes the oldest. */
export const VIDEO_STREAMS_PER_ACCOUNT = 20;

/** Alerts of the air (spec §4, §9): from which value on, in °C and as the gas sensor gives it, and how often a page checks. */
export const TEMPERATURE_ALERT_FROM = 40;
export const AIR_ALERT_FROM = 1000;
export const TEMPERATURE_CHECK_MS = 8_000;
export const AIR_CHECK_MS = 12_000;

/** A code that is typed on a device: letters and digits that are not taken for one another. */
export const PAIRING_CODE_LENGTH = 10;
