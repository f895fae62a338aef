import { generateKeyPairSync, sign } from 'node:crypto';

const SEQUENCE = 0x30;
const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const { length } = body;
  return Buffer.concat([Buffer.from(length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 255]), body]);
};
/** YYMMDDhhmmssZ */
const time = (at: Date) => der(0x17, Buffer.from(`${at.toISOString().replaceAll(/\D/g, '').slice(2, 14)}Z`));

/** A certificate of nobody, signed by itself, that holds until then; with its key, as `tls.createServer` takes them. */
export function certificateUntil(end: Date): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const ecdsaWithSha256 = der(SEQUENCE, der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
  const nobody = der(SEQUENCE);
  const body = der(
    SEQUENCE,
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    nobody,
    der(SEQUENCE, time(new Date(0)), time(end)),
    nobody,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const cert = der(SEQUENCE, body, ecdsaWithSha256, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${cert}\n-----END CERTIFICATE-----\n`,
  };
}
