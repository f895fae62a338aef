// How much memory the server needs for thousands of connections that follow orders live, and how long a journey takes while a
// thousand others browse.
import { readFileSync } from 'node:fs';
import net from 'node:net';
import type { SpawnedServer } from '../kit/server.ts';
import { openDb } from '../../src/server/store/db.ts';
import { hashed, newId, newToken } from '../../src/server/store/ids.ts';
import type { Tables } from '../../src/server/store/db.ts';

const AT_ONCE = 100;
const ROWS_AT_ONCE = 200;

/** Resident memory of a process in MB, on Linux; NaN elsewhere. */
export function residentMb(pid: number): number {
  try {
    return Number(/^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

export interface Follower {
  readonly orderId: string;
  readonly userId: string;
  readonly access: string;
}

/** Copies of a customer with an order of hers, straight into the database: placing thousands is not what is measured. */
export async function copiesOf(
  target: string,
  { userId, orderId, access }: Follower,
  count: number,
): Promise<Follower[]> {
  const { db } = await openDb(target);
  const one = async <N extends keyof Tables>(table: N, column: string, value: string) =>
    (await db
      .selectFrom(table as 'users')
      .selectAll()
      .where(column as 'id', '=', value)
      .executeTakeFirstOrThrow()) as unknown as Tables[N];
  const user = await one('users', 'id', userId);
  const order = await one('orders', 'id', orderId);
  const payment = await one('payments', 'order_id', orderId);
  const token = await one('access_tokens', 'hash', hashed(access));
  const session = await one('sessions', 'id', token.session_id);
  const events = await db.selectFrom('order_events').selectAll().where('order_id', '=', orderId).execute();
  const made: Follower[] = [];
  for (let start = 0; start < count; start += ROWS_AT_ONCE) {
    const some = Array.from({ length: Math.min(ROWS_AT_ONCE, count - start) }, () => ({
      orderId: newId('ord'),
      userId: newId('anonymous'),
      access: newToken(),
      sessionId: newId('ses'),
      cartId: newId('cart'),
    }));
    await db.transaction().execute(async (tx) => {
      const into = async <N extends keyof Tables>(table: N, rows: readonly Tables[N][]) => {
        await tx
          .insertInto(table as 'users')
          .values(rows as never)
          .execute();
      };
      await into(
        'users',
        some.map((own) => ({ ...user, id: own.userId, cart_id: own.cartId })),
      );
      await into(
        'sessions',
        some.map((own) => ({ ...session, id: own.sessionId, user_id: own.userId, guest_hash: newToken() })),
      );
      await into(
        'access_tokens',
        some.map((own) => ({ ...token, hash: hashed(own.access), session_id: own.sessionId })),
      );
      await into(
        'orders',
        some.map((own) => ({
          ...order,
          id: own.orderId,
          user_id: own.userId,
          cart_id: own.cartId,
          idempotency_key: own.orderId,
          number: own.orderId,
        })),
      );
      await into(
        'payments',
        some.map((own) => ({
          ...payment,
          id: `txn_${own.orderId}`,
          order_id: own.orderId,
          user_id: own.userId,
          reference: own.orderId,
        })),
      );
      await into(
        'order_events',
        some.flatMap((own) => events.map((event) => ({ ...event, order_id: own.orderId }))),
      );
    });
    made.push(...some);
  }
  await db.destroy();
  return made;
}

/** Opens a stream for each, and waits until every one has had its first event. `end` closes them all. */
export async function followAll(
  { url }: SpawnedServer,
  followers: readonly Follower[],
): Promise<{ readonly open: number; end(): void }> {
  const { hostname, port } = new URL(url);
  const sockets: net.Socket[] = [];
  const left = [...followers];
  const one = ({ orderId, userId, access }: Follower) =>
    new Promise<boolean>((resolve) => {
      const socket = net.connect(Number(port), hostname);
      sockets.push(socket);
      let text = '';
      const hear = (chunk: Buffer) => {
        text += chunk.toString('latin1');
        if (!text.startsWith('HTTP/1.1 200')) return resolve(false);
        if (!/^data: /m.test(text)) return;
        text = '';
        socket.off('data', hear).resume();
        resolve(true);
      };
      socket
        .on('data', hear)
        .on('error', () => resolve(false))
        .on('close', () => resolve(false));
      socket.write(
        `GET /tracker-service/ve2/orders/${orderId}/events HTTP/1.1\r\nhost: localhost\r\napi_key: in-web\r\nauthtoken: ${access}\r\nuserid: ${userId}\r\n\r\n`,
      );
    });
  let open = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) if (await one(next)) open += 1;
    }),
  );
  return { open, end: () => sockets.forEach((socket) => socket.destroy()) };
}
