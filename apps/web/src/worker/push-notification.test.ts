import { describe, expect, it } from 'vitest';
import { readPushNotification } from './push-notification.ts';

const ORIGIN = 'https://haris.example';
const payload = {
  title: 'Temperature alert',
  body: '41 °C in Playroom',
  tag: 'incident-1',
  url: '/incidents',
  kind: 'temperature',
  phase: 'raised',
  lang: 'ar',
  dir: 'rtl',
  receipt: 'r1',
};
const read = (change: object) => readPushNotification(JSON.stringify({ ...payload, ...change }), ORIGIN);

describe('a notice of the push service', () => {
  it('is read as it was sent', () => {
    expect(read({})).toEqual({
      title: 'Temperature alert',
      body: '41 °C in Playroom',
      tag: 'incident-1',
      url: '/incidents',
      lang: 'ar',
      dir: 'rtl',
      receipt: 'r1',
    });
  });

  it.each(['https://evil.example/x', '//evil.example', 'javascript:alert(1)', 7])(
    'leads home and not to %s',
    (url) => {
      expect(read({ url })?.url).toBe('/');
    },
  );

  it.each(['', 'text', 'null', '[]', '{"title":1}'])('%j is none', (text) => {
    expect(readPushNotification(text, ORIGIN)).toBeNull();
  });
});
