import { describe, expect, it } from 'vitest';
import { createSseParser } from './sse.ts';

describe('createSseParser', () => {
  it('reads type, data and id', () => {
    expect(createSseParser().push('id: 7\nevent: child.created\ndata: {"a":1}\n\n')).toEqual([
      { type: 'child.created', data: '{"a":1}', lastEventId: '7' },
    ]);
  });

  it('gives the same events wherever the text is cut, for LF, CR and CRLF', () => {
    const text = 'id: 1\ndata: one\ndata: two\n\n: comment\n\nevent: x\nid: 2\ndata:three\n\n';
    const expected = [
      { type: 'message', data: 'one\ntwo', lastEventId: '1' },
      { type: 'x', data: 'three', lastEventId: '2' },
    ];
    for (const ending of ['\n', '\r', '\r\n']) {
      // The last CR could be half of a CRLF: it is settled by whatever comes next.
      const stream = `${text.replaceAll('\n', ending)}:`;
      for (let cut = 0; cut <= stream.length; cut++) {
        const parser = createSseParser();
        const events = [...parser.push(stream.slice(0, cut)), ...parser.push(stream.slice(cut))];
        expect(events, `${JSON.stringify(ending)} cut at ${cut}`).toEqual(expected);
      }
    }
  });

  it('dispatches nothing for comments, for events without data, and for what is not complete', () => {
    expect(createSseParser().push(': hello\n\nevent: lonely\n\ndata: half\n')).toEqual([]);
  });

  it('keeps the last id for later events, and forgets the type', () => {
    const [first, second] = createSseParser().push('id: 9\nevent: a\ndata: 1\n\ndata: 2\n\n');
    expect(first).toMatchObject({ type: 'a', lastEventId: '9' });
    expect(second).toMatchObject({ type: 'message', lastEventId: '9' });
  });

  it('hands on retry times that are numbers', () => {
    const times: number[] = [];
    createSseParser((ms) => times.push(ms)).push('retry: 2500\nretry: soon\n\n');
    expect(times).toEqual([2500]);
  });
});
