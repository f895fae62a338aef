const turned = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/** SHA-1 of `bytes`, as five words. Web Crypto's own is asynchronous, and a decision is not. */
function sha1(bytes: readonly number[]): number[] {
  const words: number[] = [];
  for (const [at, byte] of [...bytes, 0x80].entries()) words[at >> 2] = words[at >> 2]! | (byte << (24 - (at % 4) * 8));
  // Room for the length at the end of the last block.
  const blocks = ((bytes.length + 8) >> 6) + 1;
  words[blocks * 16 - 1] = bytes.length * 8;
  let state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  for (let block = 0; block < blocks; block++) {
    const schedule: number[] = [];
    let [a, b, c, d, e] = state as [number, number, number, number, number];
    for (let round = 0; round < 80; round++) {
      schedule[round] =
        round < 16
          ? words[block * 16 + round]! | 0
          : turned(schedule[round - 3]! ^ schedule[round - 8]! ^ schedule[round - 14]! ^ schedule[round - 16]!, 1);
      const mix =
        round < 20
          ? ((b & c) | (~b & d)) + 0x5a827999
          : round < 40
            ? (b ^ c ^ d) + 0x6ed9eba1
            : round < 60
              ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
              : (b ^ c ^ d) + 0xca62c1d6;
      [a, b, c, d, e] = [(turned(a, 5) + mix + e + schedule[round]!) | 0, a, turned(b, 30), c, d];
    }
    state = [a, b, c, d, e].map((word, at) => (word + state[at]!) | 0);
  }
  return state;
}

/** The id of a name in a namespace (RFC 9562, version 5), as 16 bytes. */
function uuid5(name: string, namespace: readonly number[]): number[] {
  const words = sha1([...namespace, ...new TextEncoder().encode(name)]);
  const bytes = Array.from({ length: 16 }, (_, at) => (words[at >> 2]! >>> (24 - (at % 4) * 8)) & 0xff);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes;
}

/** 11e13cd7-6c48-53ec-8679-7e9c752273c5: `https://vwo.com` in the namespace of URLs, which the service begins with. */
const ROOT = [17, 225, 60, 215, 108, 72, 83, 236, 134, 121, 126, 156, 117, 34, 115, 197];

/** The id of a visitor at the experiment service: 32 capital hexadecimal digits. */
export const visitorUuid = (userId: string, accountId: number | string): string =>
  uuid5(userId, uuid5(String(accountId), ROOT))
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
