import { createHash } from 'node:crypto';
import type { EndpointInput } from '../../../contract/endpoint.ts';
import type { report } from '../../../contract/pageErrors.ts';
import { framesOf, impersonal, screenOf, type Frame } from '../../../domain/pageErrors.ts';
import { DAY_MS } from '../../../domain/time.ts';
import type { Call } from '../../call/call.ts';
import { countUse } from '../../store/system.ts';
import { withinHour } from '../people/limits.ts';

/** A page tells at most five. */
const AN_HOUR_PER_ADDRESS = 60;
/** Places of a stack that say what broke; those below them say who asked. */
const PLACES_THAT_COUNT = 3;
/** Of errors alike the first of a day is logged, the tenth, the hundredth and so on. */
const isTold = (count: number) => /^10*$/.test(String(count));
/** What stands in a log is of one line and of known length. */
const plain = (text: string, most: number) =>
  impersonal(text)
    .replace(/[^\x20-\x7e\u00a0-\uffff]+/g, ' ')
    .slice(0, most);
const word = (text: string) => text.replace(/[^\w./ -]/g, '').slice(0, 40);

/** Finds a place of a bundle's script in its sources. */
export type PlaceOf = (frame: Frame) => Promise<string>;

/** Counts an error of a page, and logs the first of its kind in a day and a few more. @throws Refusal 429 TOO_MANY */
export async function notePageError(
  call: Call,
  body: EndpointInput<typeof report>['body'],
  placeOf: PlaceOf,
): Promise<void> {
  const { db, now, caller, services } = call;
  await withinHour(db, `page-errors|${call.ip}`, AN_HOUR_PER_ADDRESS, now);
  const { country, host } = caller;
  services.counts.pageFailed({ country, host });
  const places = await Promise.all(framesOf(body.stack).map(placeOf));
  const [name, message] = [word(body.name), plain(body.message, 300)];
  // Numbers differ from one to the next of a kind, and columns from release to release.
  const kind = [host, name, message.replace(/\d+/g, '0'), ...places.slice(0, PLACES_THAT_COUNT)].join('\n');
  const fingerprint = createHash('sha256')
    .update(kind.replace(/:\d+(?=\)|$)/gm, ''))
    .digest('hex')
    .slice(0, 12);
  const alike = await countUse(db, `page-error|${fingerprint}`, DAY_MS, now);
  if (isTold(alike.used))
    services.log.warn(
      {
        pageError: fingerprint,
        today: alike.used,
        host,
        country,
        bundle: word(body.bundle),
        release: word(body.release),
        page: screenOf(body.page),
        failedCall: word(body.requestId),
        error: `${name}: ${message}`,
        places: places.map((place) => plain(place, 200)),
      },
      'an error of a page',
    );
}
