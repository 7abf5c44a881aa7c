/** Parser of server-sent events (WHATWG HTML §9.2.6), fed with text as it arrives. Knows no transport. */

export interface ServerSentEvent {
  /** `event:`, `message` where none was given. */
  type: string;
  data: string;
  /** The last `id:` seen so far; '' before the first. */
  lastEventId: string;
}

/**
 * Answers the events that are complete after each piece of text. Lines may end in LF, CR or CRLF, and pieces may be cut
 * anywhere. `onRetry` gets the milliseconds of a `retry:` line.
 */
export function createSseParser(onRetry: (ms: number) => void = () => {}) {
  let rest = '';
  let type = '';
  let data: string[] = [];
  let lastEventId = '';
  let isFirst = true;

  function takeField(line: string): void {
    const colon = line.indexOf(':');
    if (colon === 0) return; // a comment
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') type = value;
    else if (field === 'data') data.push(value);
    else if (field === 'id' && !value.includes('\0')) lastEventId = value;
    else if (field === 'retry' && /^\d+$/.test(value)) onRetry(Number(value));
  }

  function dispatch(): ServerSentEvent | null {
    const event = data.length === 0 ? null : { type: type || 'message', data: data.join('\n'), lastEventId };
    type = '';
    data = [];
    return event;
  }

  return {
    push(text: string): ServerSentEvent[] {
      if (isFirst && text !== '') {
        text = text.replace(/^\uFEFF/, '');
        isFirst = false;
      }
      rest += text;
      const events: ServerSentEvent[] = [];
      for (;;) {
        const end = rest.search(/[\r\n]/);
        // A CR at the very end may be the first half of a CRLF: wait for what follows.
        if (end === -1 || (rest[end] === '\r' && end === rest.length - 1)) return events;
        const line = rest.slice(0, end);
        rest = rest.slice(rest.startsWith('\r\n', end) ? end + 2 : end + 1);
        if (line !== '') takeField(line);
        else {
          const event = dispatch();
          if (event !== null) events.push(event);
        }
      }
    },
  };
}
