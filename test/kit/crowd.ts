import net from 'node:net';

/** The address of the attacker on this machine; everybody else calls from 127.0.0.1. */
const ATTACKER = '127.0.0.2';

/** Settings under which the addresses of this machine are callers, not proxies. */
export const AS_CALLERS = { TRUST_PROXY: '10.0.0.0/8' } as const;

const MENU = 'GET /content/ve1/stores/10101/menu HTTP/1.1\r\nhost: shop\r\napi_key: in-web\r\n';
export const BODY =
  'POST /webhooks/bank HTTP/1.1\r\nhost: shop\r\ncontent-type: application/json\r\ncontent-length: 4096\r\n\r\n{';
const RANGES = `range: bytes=${Array.from({ length: 1_000 }, (_, at) => `5-${at}`).join(',')}\r\n`;

interface Mode {
  readonly mode: string;
  /** What each connection says, and then nothing more. */
  readonly text: string;
  readonly lines: number;
  /** False: it never reads what it is answered. */
  readonly reads: boolean;
}
/** The four modes of slowhttptest. */
export const MODES: readonly Mode[] = [
  { mode: 'bodies that do not arrive', text: BODY, lines: 2_100, reads: true },
  { mode: 'headers that do not end', text: MENU, lines: 300, reads: true },
  { mode: 'answers that nobody reads', text: `${MENU}\r\n`.repeat(8), lines: 150, reads: false },
  { mode: 'a thousand ranges', text: `${MENU}${RANGES}\r\n`, lines: 150, reads: true },
];

export interface Line {
  readonly socket: net.Socket;
  /** What the server has said. */
  said: string;
  isClosed: boolean;
}

/** A connection that says this, and holds what it hears. */
export function line(port: number, text: string, { reads = true, from = ATTACKER } = {}): Line {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress: from });
  const own: Line = { socket, said: '', isClosed: false };
  socket.on('error', () => socket.destroy()).on('close', () => (own.isClosed = true));
  if (reads) socket.on('data', (chunk) => (own.said += chunk.toString()));
  else socket.pause();
  socket.write(text);
  return own;
}
