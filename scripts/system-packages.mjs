// Installs the Debian packages that the tests need in addition to npm's: a browser, a database server, GStreamer's
// RTSP server (the test camera) and Mosquitto (test brokers and sensors).
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run, shorten } from './run.mjs';

function hasPostgres() {
  const base = '/usr/lib/postgresql';
  return (
    existsSync(base) && readdirSync(base).some((version) => existsSync(join(base, version, 'bin/postgres')))
  );
}

function hasChromium() {
  return existsSync(process.env.CHROMIUM_PATH ?? '/usr/bin/chromium');
}

function hasChromiumShell() {
  return existsSync(process.env.CHROMIUM_SHELL_PATH ?? '/usr/bin/chromium-headless-shell');
}

const rtspServer = [
  'python3-gst-1.0',
  'gir1.2-gst-rtsp-server-1.0',
  'gstreamer1.0-plugins-base',
  'gstreamer1.0-plugins-good',
  'gstreamer1.0-plugins-bad',
];

function hasRtspServer() {
  // Debian's Python: another Python has no GStreamer.
  const words = [
    'import gi',
    'gi.require_version("Gst", "1.0")',
    'gi.require_version("GstRtspServer", "1.0")',
    'from gi.repository import Gst',
    'Gst.init(None)',
    'names = ("appsrc", "h264parse", "rtph264pay", "h265parse", "rtph265pay")',
    'assert all(Gst.ElementFactory.find(name) for name in names)',
  ];
  return spawnSync('/usr/bin/python3', ['-c', words.join('\n')], { stdio: 'ignore' }).status === 0;
}

function hasMosquitto() {
  return existsSync('/usr/sbin/mosquitto') && existsSync('/usr/bin/mosquitto_pub');
}

function findMissing() {
  return [
    ...(hasChromium() ? [] : ['chromium']),
    ...(hasChromiumShell() ? [] : ['chromium-headless-shell']),
    ...(hasPostgres() ? [] : ['postgresql']),
    ...(hasRtspServer() ? [] : rtspServer),
    ...(hasMosquitto() ? [] : ['mosquitto', 'mosquitto-clients']),
  ];
}

/**
 * Installs missing packages, as root or through passwordless sudo.
 * @param {(line: string) => void} say
 * @throws Error that says what to install manually
 */
export async function installSystemPackages(say) {
  const missing = findMissing();
  if (missing.length === 0) return;
  const byHand = `Install by hand: apt-get install ${missing.join(' ')}`;
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  if (sudo.length > 0 && (await run('sudo', ['-n', 'true'], { stdio: 'pipe' })).code !== 0) {
    throw new Error(`The tests need ${missing.join(' and ')}, and this user may not install them. ${byHand}`);
  }
  say(`Installing ${missing.join(' and ')} with apt-get ...`);
  // RUNLEVEL=1 keeps the packages from starting their own database server and broker.
  const prefix = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1', 'apt-get'];
  prefix.push('-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::Retries=2');
  const update = await apt([...prefix, 'update']);
  const install = await apt([...prefix, 'install', '-y', '--no-install-recommends', ...missing]);
  if (install.code !== 0 || findMissing().length > 0) {
    const updateWords = update.code === 0 ? '' : `${shorten(update.output, 10)}\n`;
    throw new Error(`apt-get failed:\n${updateWords}${shorten(install.output, 20)}\n${byHand}`);
  }
}

/** @param {string[]} words */
function apt([command = '', ...args]) {
  return run(command, args, { stdio: 'pipe', timeoutMs: 8 * 60_000 });
}
