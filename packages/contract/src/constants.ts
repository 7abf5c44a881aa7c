/** Business constants of the specification (§5, §9) and of the contract. Each is defined only here. */

export const PRODUCT_NAME = 'Haris';

/** Languages of every page, mail and error. */
export const LANGUAGES = ['en', 'ar'] as const;

/**
 * Path of the configuration that the web app fetches before sign-in. Defined here so that the first load needs no
 * schema.
 */
export const CLIENT_CONFIG_PATH = '/api/config';

/** In a demo the served page has a `<meta>` of this name, so that the first paint shows the demo banner. */
export const DEMO_META_NAME = 'haris-demo';

/** Entry periods in whole minutes; the first is the default (spec §9). */
export const ENTRY_PERIODS_MINUTES = [30, 60, 120, 240] as const;
export const DEFAULT_ENTRY_PERIOD_MINUTES = 30;

/** How long a mistaken check-in or checkout can be undone, in seconds; the server adds some seconds for the network. */
export const UNDO_WINDOW_SECONDS = 10;
export const UNDO_GRACE_SECONDS = 3;

/**
 * A pick-up (decision 036): how far ahead it may be announced, how far its time may be in the past (clocks differ), how
 * long after its time it ends automatically (milliseconds), and how often per hour a parent may announce or change one.
 */
export const PICKUP_AHEAD_MS = 4 * 3_600_000;
export const PICKUP_PAST_MS = 5 * 60_000;
export const PICKUP_KEPT_MS = 3_600_000;
export const PICKUPS_PER_HOUR = 20;

/**
 * A booking (decision 051): how long after the booked start the family is asked, and how long after that the desk is told
 * (milliseconds); how often per hour a parent may report or change something; how many absences of a child may lie ahead.
 */
export const EXPECTED_LATE_MS = 15 * 60_000;
export const EXPECTED_UNANSWERED_MS = 15 * 60_000;
export const ABSENCE_CHANGES_PER_HOUR = 30;
export const ABSENCES_MAX = 50;
/** Absences and single booked days are deleted this long after their last day. Days. */
export const BOOKINGS_KEPT_DAYS = 90;

/** Who may pick up a child no longer, and whom no record names, is erased this long afterwards (decision 049). Days. */
export const ENDED_COLLECTORS_KEPT_DAYS = 30;

/** Longest stay with all its extensions, in whole minutes. */
export const STAY_MAX_MINUTES = 24 * 60;

/** Entry slips that one account may look up per minute. */
export const ENTRY_LOOKUPS_PER_MINUTE = 120;

/** Password lengths in characters: parent (spec §9), staff and upper bound (contract §3). */
export const PARENT_PASSWORD_MIN = 6;
export const STAFF_PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;

/** Names are trimmed and 1–100 characters (code points) of any script. */
export const NAME_MAX = 100;

/** Largest photo accepted, in bytes (contract §4), and the longest side of the stored photo, in pixels. */
export const PHOTO_MAX_BYTES = 8 * 1024 * 1024;
export const PHOTO_MAX_SIDE = 1024;
/** Largest stored photo, in bytes. A camera's photo of the longest side has about half. */
export const STORED_PHOTO_MAX_BYTES = 400_000;

/** Photos per child for recognition: the displayed one and up to four more that improve accuracy. */
export const PHOTOS_PER_CHILD = 5;

/** For an uncertain face, staff compare it with at most this many children. */
export const FACE_QUESTION_CHILDREN = 3;

/** Narrowest face box accepted for enrolment, in pixels of the photo as sent (contract §4). */
export const ENROL_FACE_MIN_WIDTH = 80;

/** Page sizes of every list (contract §4). */
export const PAGE_LIMIT_DEFAULT = 50;
export const PAGE_LIMIT_MAX = 200;

/** A visitor who was not signed out counts as inside for at most this long. Milliseconds. */
export const VISITOR_INSIDE_MAX_MS = 24 * 3_600_000;

/**
 * A child about whom nobody has said anything in a head count is a danger this long after its start: within two minutes, also if
 * another server must first take over (10 s). Milliseconds.
 */
export const HEAD_COUNT_ALERT_MS = 110_000;
/** A head count that nobody ends is over after this. Milliseconds. */
export const HEAD_COUNT_OPEN_MS = 60 * 60_000;

/** Staff whose session was used within this time are on the roll call of an evacuation. Milliseconds. */
export const STAFF_ON_DUTY_MS = 8 * 3_600_000;

/** Days after which the names of visitors are erased, unless staff set another number. */
export const VISITOR_DAYS = 30;

/** Interval at which the countdown is recomputed, in milliseconds (spec §9). */
export const COUNTDOWN_REFRESH_MS = 1000;

/** Toasts (spec §9): milliseconds on screen, and the maximum number of toasts. */
export const TOAST_ERROR_MS = 4000;
export const TOAST_BLANK_MS = 4000;
export const TOAST_SUCCESS_MS = 2000;
export const TOAST_LIMIT = 20;

/** How long the browser keeps unused data, in milliseconds (spec §9). */
export const DATA_CACHE_MS = 60_000;

/** The admin sidebar turns to its mobile layout below this width, in CSS pixels (spec §9). */
export const SIDEBAR_MOBILE_BELOW_PX = 768;

/** Key in local storage under which the browser keeps the session token (spec §3). */
export const TOKEN_STORAGE_KEY = 'token';

/** Lifetimes in milliseconds (contract §2, §3). */
export const SESSION_MAX_MS = 30 * 24 * 3_600_000;
export const STAFF_SESSION_IDLE_MS = 12 * 3_600_000;
/** Minutes without a press after which a session at a desk tablet ends, unless staff set another number. */
export const DESK_IDLE_MINUTES = 2;
/** How long a proof (a sign-in or a later password check) lasts (contract §6). */
export const PROOF_MS = 10 * 60_000;
/** Different rows of personal data that a staff session may read in {@link ROWS_WINDOW_MS} without a fresh proof. */
export const ROWS_WITHOUT_PROOF = 2_000;
export const ROWS_WINDOW_MS = 3_600_000;
export const VERIFY_LINK_MS = 24 * 3_600_000;
/** A registration whose e-mail nobody verifies ends after this time, or with its last link to verify it. */
export const UNVERIFIED_KEPT_MS = 7 * 24 * 3_600_000;
export const RESET_LINK_MS = 3_600_000;
export const INVITATION_LINK_MS = 7 * 24 * 3_600_000;
export const TICKET_MS = 60_000;

/**
 * Sign-in limits (contract §3). Failures within the window are counted per account and network, per network over all
 * accounts, and per desk network over the accounts that have signed in from it. Failures of one account from all
 * networks are counted per day; above that limit, each network the account has never signed in from gets one attempt
 * per `SLOWED_LOGIN_MS`. Also limited: successful sign-ins of an account and correct passwords of an unverified
 * account within the window, and the sessions of an account.
 */
export const THROTTLE_WINDOW_MS = 15 * 60_000;
export const LOGIN_FAILURES_PER_ACCOUNT = 5;
export const LOGIN_FAILURES_PER_ADDRESS = 20;
/** Wrong passwords that one session may enter as a proof within the window. */
export const PROOF_FAILURES_PER_SESSION = 5;
export const LOGIN_FAILURES_AT_DESK = 100;
export const LOGIN_FAILURES_ANYWHERE = 50;
export const SLOWED_LOGIN_MS = 60_000;
export const SIGN_INS_PER_ACCOUNT = 100;
export const UNVERIFIED_SIGN_INS = 10;
export const SESSIONS_PER_ACCOUNT = 50;
/** Lifetime of the code that a guardian shows at the desk, and the number of wrong attempts it allows. */
export const DESK_CODE_MS = 10 * 60_000;
export const DESK_CODE_TRIES = 5;
/** Lifetime of the link at the old address that agrees to a new one, and how long staff wait for the answer. */
export const EMAIL_CHANGE_LINK_MS = 7 * 24 * 3_600_000;
export const EMAIL_CHANGE_WAIT_MS = 3 * 24 * 3_600_000;
/** Shortest interval between two verification mails. */
export const MAIL_INTERVAL_MS = 5 * 60_000;

/**
 * Second factors (decision 041): lifetime of the second step of a sign-in in milliseconds, wrong attempts it allows,
 * wrong attempts per account and day, factors per account, and recovery codes made at once.
 */
export const FACTOR_CHALLENGE_MS = 5 * 60_000;
export const FACTOR_CHALLENGE_TRIES = 5;
export const FACTOR_FAILURES_PER_DAY = 30;
export const FACTORS_PER_ACCOUNT = 10;
export const RECOVERY_CODES = 10;

/**
 * Sign-in at the organisation's identity provider (decision 046): how long its answer is awaited, and how long a session
 * lasts, in milliseconds; and the page that it sends the browser back to.
 */
export const OIDC_ATTEMPT_MS = 10 * 60_000;
export const OIDC_SESSION_MS = 12 * 3_600_000;
/** Staff without a password use PIN and passkey at a desk tablet for so long after their last sign-in at the provider. */
export const OIDC_DESK_MS = 14 * 24 * 3_600_000;
export const OIDC_PAGE = '/oidc';
/** Begins the `state` of a proof, so that the page knows which call to make. It grants nothing. */
export const OIDC_PROOF_STATE = 'proof-';

/**
 * Faces that a parent may send per day, as each could probe who is enrolled: three children with up to five photos each,
 * twice. A photo in which the engine finds no usable face does not count as one, but all photos together are limited too,
 * because each costs computing time.
 */
export const FACE_CALLS_PER_DAY = 30;
export const FACE_TRIES_PER_DAY = 120;

/** Event streams that one account may have open on one server; a further one closes the oldest. */
export const EVENT_STREAMS_PER_ACCOUNT = 20;

/** Response header with the server's clock (ISO 8601); the browser computes its offset from it. */
export const SERVER_TIME_HEADER = 'x-server-time';
/**
 * Response header of sign-in and of the session calls: id of the newest event at that time. A stream resumed from it
 * (`Last-Event-ID`) misses no change made after the response.
 */
export const EVENT_POSITION_HEADER = 'x-event-position';
/** Response header with the id of this request in the logs. */
export const REQUEST_ID_HEADER = 'x-request-id';
/** Response header of an export: number of rows after the header line. */
export const TOTAL_ROWS_HEADER = 'x-total-rows';
/**
 * Request header with the facility at which a staff member works; by default the person's first one. In an address:
 * `?facility=`.
 */
export const FACILITY_HEADER = 'x-haris-facility';

/**
 * Request header of check-in, checkout, their undo, and import: a repeated key returns the same response and changes
 * nothing.
 */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';

/** Largest number of rows in one import. */
export const IMPORT_ROWS_MAX = 2000;

/** Defaults: days until sightings are deleted, and minutes until an unseen child opens an incident. */
export const SIGHTINGS_DAYS = 30;
export const NOT_SEEN_AFTER_MINUTES = 15;

/**
 * Largest number of pictures per second for one viewer. The limit is above the target of 15, because a camera that
 * sends 15 at uneven intervals would otherwise lose every second picture. A camera that sends 30 yields 15.
 */
export const LIVE_MAX_FPS = 20;

/** Videos that one account may have open on one server; a further one closes the oldest. */
export const VIDEO_STREAMS_PER_ACCOUNT = 20;

/** Air alerts (spec §4, §9): thresholds in °C and in raw gas-sensor units, and how often a page checks. */
export const TEMPERATURE_ALERT_FROM = 40;
export const AIR_ALERT_FROM = 1000;
export const TEMPERATURE_CHECK_MS = 8_000;
export const AIR_CHECK_MS = 12_000;

/** A code typed on a device: only letters and digits that are hard to confuse. */
export const PAIRING_CODE_LENGTH = 10;

/** Header with the id of a second person's approval (decision 047). */
export const APPROVAL_HEADER = 'haris-approval';
/** How long an approval waits for its answer, and how long it can be used afterwards. Milliseconds. */
export const APPROVAL_MS = 30 * 60_000;
/** Questions of one person that wait at the same time. */
export const APPROVALS_WAITING = 20;
