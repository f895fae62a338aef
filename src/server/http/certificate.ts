import { connect } from 'node:tls';

const ANSWER_AT_MOST_MS = 3_000;

/**
 * How long customers' browsers will still take the certificate that is shown at this origin, in ms: negative when it has
 * ended. Whether it is trusted is not asked.
 * @param origin https://shop.example
 * @throws Error where no certificate is shown within 3 s
 */
export async function certificateLeftMs(origin: string): Promise<number> {
  const { hostname, port } = new URL(origin);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const socket = connect(
    { host: hostname, port: Number(port || 443), servername: hostname, rejectUnauthorized: false },
    () => resolve(Date.parse(socket.getPeerCertificate().valid_to) - Date.now()),
  );
  socket.setTimeout(ANSWER_AT_MOST_MS, () => reject(new Error(`no answer within ${ANSWER_AT_MOST_MS} ms`)));
  socket.on('error', reject);
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}
