/** Addresses of cameras: masked secrets, the password of a changed address, and refused hosts. */
import { describe, expect, test } from 'vitest';
import { completeAddress, findHostProblem, showAddress } from './address.ts';

describe('shown', () => {
  test.each([
    ['rtsp', 'rtsp://admin:s3cret@10.0.0.7:554/h264?channel=1', 'rtsp://10.0.0.7:554/h264?channel=1'],
    ['rtsp', 'rtsp://admin:p@ss:w/ord@cam.local/live', null],
    [
      'mjpeg',
      'http://cam/video.cgi?user=admin&pwd=s3cret&fps=5',
      'http://cam/video.cgi?user=***&pwd=***&fps=5',
    ],
    [
      'rtsp',
      'rtsp://10.0.0.7:554/user=admin&password=s3cret&channel=1&stream=0.sdp',
      'rtsp://10.0.0.7:554/user=***&password=***&channel=1&stream=0.sdp',
    ],
    [
      'rtsp',
      'rtsp://10.0.0.7/user=admin_password=s3_cret_channel=1_stream=0.sdp',
      'rtsp://10.0.0.7/user=***_password=***_channel=1_stream=0.sdp',
    ],
    ['mjpeg', 'https://cam/TOKEN=s3cret', 'https://cam/TOKEN=***'],
  ] as const)('%s %s', (kind, url, shown) => {
    const answer = showAddress(kind, url);
    if (shown !== null) expect(answer).toEqual({ url: shown, hasCredentials: true });
    for (const secret of ['admin', 's3', 'cret', 'p@ss', 'ord@']) expect(answer.url).not.toContain(secret);
  });

  test('whole where there is nothing to hide', () => {
    expect(showAddress('rtsp', 'rtsp://cam/live')).toEqual({ url: 'rtsp://cam/live', hasCredentials: false });
    expect(showAddress('file', 'clips/user=me.mp4')).toEqual({
      url: 'clips/user=me.mp4',
      hasCredentials: false,
    });
    expect(showAddress('browser', null)).toEqual({ url: null, hasCredentials: false });
    expect(showAddress('rtsp', 'not an address')).toEqual({ url: '***', hasCredentials: true });
  });
});

describe('changed', () => {
  const kept = 'rtsp://admin:s3cret@cam.local/one';

  test.each([
    ['another path', 'rtsp://cam.local/two', 'rtsp://admin:s3cret@cam.local/two'],
    ['the port that is meant anyway', 'rtsp://cam.local:554/one', 'rtsp://admin:s3cret@cam.local:554/one'],
    ['the same host in capitals', 'rtsp://CAM.local/one', 'rtsp://admin:s3cret@CAM.local/one'],
    ['its own user', 'rtsp://guest:other@cam.local/one', 'rtsp://guest:other@cam.local/one'],
  ])('for the same host, %s: keeps user and password', (_what, asked, whole) => {
    expect(completeAddress('rtsp', asked, kept)).toBe(whole);
  });

  test.each([
    ['host', 'rtsp://evil.local/one'],
    ['port', 'rtsp://cam.local:8554/one'],
    ['protocol', 'rtsps://cam.local:554/one'],
  ])('for another %s: without them', (_what, asked) => {
    expect(completeAddress('rtsp', asked, kept)).toBe(asked);
  });

  test('a masked password is filled in for the same host, and refused for another', () => {
    const before = 'http://cam/video?user=admin&pwd=s3cret';
    expect(completeAddress('mjpeg', 'http://cam/video?user=***&pwd=***&fps=5', before)).toBe(
      'http://cam/video?user=admin&pwd=s3cret&fps=5',
    );
    expect(completeAddress('mjpeg', 'http://evil/video?pwd=***', before)).toBeNull();
    expect(completeAddress('mjpeg', 'http://cam/video?token=***', before)).toBeNull();
    expect(completeAddress('mjpeg', 'http://x:***@cam/video', null)).toBeNull();
  });
});

describe('hosts', () => {
  test.each([
    'rtsp://169.254.169.254/latest',
    'rtsp://2852039166/',
    'rtsp://0xA9FEA9FE/',
    'rtsp://[::ffff:169.254.169.254]/',
    'rtsp://[fe80::1]/',
    'rtsp://[fd00:ec2::254]/',
    'rtsp://[64:ff9b::a9fe:a9fe]/',
    'rtsp://0.0.0.0/',
    'rtsp://[::]/',
    'rtsp://239.1.2.3/',
    'rtsp://255.255.255.255/',
    'rtsp://100.100.100.200/',
    'rtsp://169%2e254.169.254/',
    'rtsp://cam%00.local/',
  ])('%s is refused', async (url) => {
    expect(await findHostProblem('rtsp', url)).not.toBeNull();
  });

  test.each(['rtsp://10.0.0.7/', 'rtsp://192.168.1.9:8554/x', 'rtsp://127.0.0.1/', 'rtsp://[fd12::7]/'])(
    '%s is a camera’s',
    async (url) => {
      expect(await findHostProblem('rtsp', url)).toBeNull();
    },
  );

  test('a name that cannot be found now may be a camera later; localhost is this machine', async () => {
    expect(await findHostProblem('mjpeg', 'http://no-such-camera.invalid/')).toBeNull();
    expect(await findHostProblem('mjpeg', 'http://localhost:8080/')).toBeNull();
    expect(await findHostProblem('v4l2', '/dev/video0')).toBeNull();
  });
});
