/**
 * A notice that the push service brings: read by hand, because the worker is a program of its own and a schema would be
 * most of it. Knows no worker.
 */

/** What is shown, of `pushPayloadSchema` of the contract. */
export interface PushNotice {
  title: string;
  body: string;
  tag: string;
  /** Path and query on our own origin. */
  url: string;
  lang: 'en' | 'ar';
  dir: 'ltr' | 'rtl';
  /** To be sent back once it is on the screen. */
  receipt: string | null;
}

/** Null for what is no notice of ours. `origin` is our own: a notice leads nowhere else. */
export function readPushNotice(text: string, origin: string): PushNotice | null {
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

/** Also of what a shown notice kept: home where it leads elsewhere. */
export function pathOf(url: unknown, origin: string): string {
  if (typeof url !== 'string') return '/';
  try {
    const target = new URL(url, origin);
    return target.origin === origin ? target.pathname + target.search : '/';
  } catch {
    return '/';
  }
}
