/** Parses a notification from the push service by hand, because a schema library would be most of the worker's code. */

/** The displayed fields of the contract's `pushPayloadSchema`. */
export interface PushNotification {
  title: string;
  body: string;
  tag: string;
  /** Path and query on our own origin. */
  url: string;
  lang: 'en' | 'ar';
  dir: 'ltr' | 'rtl';
  /** Receipt to send back once the notification is on the screen. */
  receipt: string | null;
}

/** Returns null for data that is not a notification of Haris. `origin` is our own: links must stay within it. */
export function readPushNotification(text: string, origin: string): PushNotification | null {
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof payload !== 'object' || payload === null) return null;
  const fields = new Map<string, unknown>(Object.entries(payload));
  const [title, body, tag, url, receipt] = ['title', 'body', 'tag', 'url', 'receipt'].map((name) =>
    fields.get(name),
  );
  if (typeof title !== 'string' || typeof body !== 'string' || typeof tag !== 'string') return null;
  return {
    title,
    body,
    tag,
    url: pathOf(url, origin),
    lang: fields.get('lang') === 'ar' ? 'ar' : 'en',
    dir: fields.get('dir') === 'rtl' ? 'rtl' : 'ltr',
    receipt: typeof receipt === 'string' ? receipt : null,
  };
}

/** Path of a notification's URL, whether new or stored in a shown notification; `/` if it points to another origin. */
export function pathOf(url: unknown, origin: string): string {
  if (typeof url !== 'string') return '/';
  try {
    const target = new URL(url, origin);
    return target.origin === origin ? target.pathname + target.search : '/';
  } catch {
    return '/';
  }
}
