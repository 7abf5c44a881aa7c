/**
 * The desk written by hand, for comparison: the same calls on the same database file with the same rows written, but
 * without validation, logs, headers or idempotency. Runs in a separate process: `http|express <data folder>`.
 */
import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import express, { type Request, type Response } from 'express';

const [kind, dataDir = ''] = process.argv.slice(2);
const db = new DatabaseSync(join(dataDir, 'haris.db'), { timeout: 5_000 });
db.exec('pragma journal_mode = wal');
db.exec('pragma synchronous = full');
db.exec('pragma secure_delete = on');
const auditKey = randomBytes(32);

const childColumns = `select c.id, c.name, c.photo_id, p.id as parent_id, p.name as parent_name,
  s.entry_time, s.duration, s.unique_entry_id
  from children c join parents p on p.id = c.parent_id
  left join stays s on s.child_id = c.id and s.exit_time is null`;
const statements = {
  session: db.prepare(`select s.account_id, s.expires_at, a.id, a.name, a.email from sessions s
    join staff a on a.id = s.account_id where s.token_hash = ? and s.kind = 'admin'`),
  child: db.prepare(`${childColumns} where c.id = ?`),
  inside: db.prepare(`${childColumns} where s.id is not null order by c.sort_name, c.id limit ?`),
  insideCount: db.prepare(`select count(*) as total from stays where exit_time is null`),
  take: db.prepare('update children set version = version + 1 where id = ? returning parent_id'),
  enter: db.prepare(`insert into stays (id, unique_entry_id, child_id, checked_in_by, entry_time, duration)
    values (?, ?, ?, ?, ?, 30) on conflict (child_id) where exit_time is null do nothing returning id`),
  leave:
    db.prepare(`update stays set exit_time = ?, checked_out_by = ? where child_id = ? and exit_time is null
    returning id`),
  head: db.prepare('update audit_head set seq = seq + 1 where id = 1 returning seq, hash'),
  audit: db.prepare(`insert into audit_log (seq, at, actor_kind, actor_id, actor_name, action, subject_kind,
    subject_id, from_address, request_id, details, hash) values (?, ?, 'admin', ?, ?, ?, 'child', ?, ?, ?, ?, ?)`),
  newHead: db.prepare('update audit_head set hash = ?, mac = ? where id = 1'),
  event: db.prepare('insert into events (at, type, child_id, parent_id) values (?, ?, ?, ?)'),
};
type Row = Record<string, string | number | null>;

const hmac = (text: string) => createHmac('sha256', auditKey).update(text).digest('hex');

function findStaffMember(authorization: string | undefined): Row | null {
  const token = authorization?.startsWith('Bearer ') ? authorization.slice(7) : '';
  const row = statements.session.get(createHash('sha256').update(token).digest('hex')) as Row | undefined;
  return row && Number(row.expires_at) > Date.now() ? row : null;
}

function present(row: Row) {
  const isInside = row.unique_entry_id !== null;
  return {
    _id: row.id,
    name: row.name,
    photo: row.photo_id && `/api/photos/${row.photo_id}`,
    status: isInside ? 'Inside' : 'Outside',
    isInside,
    entryTime: row.entry_time === null ? null : new Date(Number(row.entry_time)).toISOString(),
    duration: row.duration,
    uniqueEntryId: row.unique_entry_id,
    parent: { _id: row.parent_id, name: row.parent_name },
  };
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

function stay(admin: Row, id: string, action: 'checked_in' | 'checked_out', address: string): Reply {
  const now = Date.now();
  db.exec('begin immediate');
  try {
    const taken = statements.take.get(id) as Row | undefined;
    const done =
      action === 'checked_in'
        ? statements.enter.get(randomUUID(), randomBytes(32).toString('base64url'), id, admin.id ?? null, now)
        : statements.leave.get(now, admin.id ?? null, id);
    if (!taken || !done) {
      db.exec('rollback');
      return { status: taken ? 409 : 404, body: { message: 'No.' } };
    }
    const child = statements.child.get(id) as Row;
    const head = statements.head.get() as Row;
    const details = JSON.stringify({ stayId: (done as Row).id });
    const request = randomUUID();
    const covered = [
      head.seq,
      now,
      'admin',
      admin.id,
      admin.name,
      action,
      'child',
      id,
      address,
      request,
      details,
    ];
    const hash = hmac(head.hash + JSON.stringify(covered));
    const { id: adminId = null, name = null } = admin;
    statements.audit.run(
      head.seq ?? 0,
      now,
      adminId,
      name,
      `child.${action}`,
      id,
      address,
      request,
      details,
      hash,
    );
    statements.newHead.run(hash, hmac(`${head.seq} ${hash}`));
    statements.event.run(now, `child.${action}`, id, taken.parent_id ?? null);
    db.exec('commit');
    return { status: 200, body: { message: 'Done', child: present(child) } };
  } catch (error) {
    db.exec('rollback');
    throw error;
  }
}

function inside(limit: number): Reply {
  const { total } = statements.insideCount.get() as { total: number };
  const children = (statements.inside.all(limit) as Row[]).map(present);
  return { status: 200, body: { children, total, nextCursor: null } };
}

const info = ({ id, name, email }: Row): Reply => ({
  status: 200,
  body: { admin: { _id: id, name, email, nationalId: null, emailVerified: true } },
});

/** Implementation with only node:http. */
function bare(): Server {
  return createServer((request, response) => {
    request.resume().on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      const admin = findStaffMember(request.headers.authorization);
      const act = /^\/api\/children\/(checkin|checkout)-child\/([^/]+)$/.exec(pathname);
      let reply: Reply = { status: 404, body: { message: 'No.' } };
      if (!admin) reply = { status: 401, body: { message: 'No.' } };
      else if (act)
        reply = stay(
          admin,
          String(act[2]),
          act[1] === 'checkin' ? 'checked_in' : 'checked_out',
          request.socket.remoteAddress ?? '',
        );
      else if (pathname === '/api/admin/info') reply = info(admin);
      else if (pathname === '/api/children/get-all-children')
        reply = inside(Number(searchParams.get('limit')));
      const body = JSON.stringify(reply.body);
      response.writeHead(reply.status, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    });
  }).listen(0, '127.0.0.1');
}

/** The same as an Express 5 application. */
function withExpress(): Server {
  const app = express();
  app.use(express.json());
  const as =
    (work: (admin: Row, request: Request) => Reply) =>
    (request: Request, response: Response): void => {
      const admin = findStaffMember(request.headers.authorization);
      const reply = admin ? work(admin, request) : { status: 401, body: { message: 'No.' } };
      response.status(reply.status).json(reply.body);
    };
  const from = (request: Request) => request.socket.remoteAddress ?? '';
  app.get('/api/admin/info', as(info));
  app.get(
    '/api/children/get-all-children',
    as((_admin, request) => inside(Number(request.query.limit))),
  );
  app.post(
    '/api/children/checkin-child/:id',
    as((admin, request) => stay(admin, String(request.params.id), 'checked_in', from(request))),
  );
  app.post(
    '/api/children/checkout-child/:id',
    as((admin, request) => stay(admin, String(request.params.id), 'checked_out', from(request))),
  );
  return app.listen(0, '127.0.0.1');
}

/** Listens on a free port, reports it to the parent process, and ends with it. */
export async function serve(): Promise<void> {
  const server = kind === 'express' ? withExpress() : bare();
  await once(server, 'listening');
  process.send?.({ port: (server.address() as AddressInfo).port });
  process.on('disconnect', () => process.exit(0));
}
