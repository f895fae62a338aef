import { pino } from 'pino';
import type { Log } from '../call/services.ts';
import { currentTrace } from '../trace.ts';

/** A word whose long random parts, and what follows them behind a dot, are taken out. */
function withoutSecrets(word: string): string {
  let isSecret = false;
  const parts = word.split('.').map((part) => {
    isSecret = part.length >= 40 || (isSecret && part.length >= 10);
    return isSecret ? '[secret]' : part;
  });
  return parts.filter((part, at) => part !== '[secret]' || parts[at - 1] !== '[secret]').join('.');
}

/** Removes secrets from a text: only the last four digits of a phone number stay, and long random strings go. */
function scrub(text: string): string {
  return text.replace(/[A-Za-z0-9_.-]+/g, withoutSecrets).replace(/\+?\d{5,11}(\d{4})(?!\d)/g, '••••••$1');
}

const IDS = new Set(['requestId', 'jobId', 'trace', 'order', 'orderId', 'paymentId', 'refundId', 'reference']);

/** With what the line belongs to. */
function traced(data: object): object {
  const trace = currentTrace();
  if (trace === undefined) return data;
  const { id, requestId, order } = trace;
  return { requestId, ...data, trace: id, ...(order === null ? {} : { order }) };
}

function scrubbed(value: unknown, key = ''): unknown {
  if (
    /^(mobile|phone|authtoken|accesstoken|refreshtoken|sessiontoken|secretkey|code|otp|authorization|idtoken|ridertoken|authcode|cvv|number)$/i.test(
      key,
    )
  )
    return '[hidden]';
  // The log line of the embedded SMS provider is the only place where a code may be read. Ids stay unchanged so that
  // they can be searched for.
  if (key === 'sms' || IDS.has(key)) return value;
  if (typeof value === 'string') return scrub(value);
  if (value instanceof Error)
    return {
      name: value.name,
      message: scrub(value.message),
      stack: scrub(value.stack ?? ''),
      ...(value.cause === undefined ? {} : { cause: scrub(String(value.cause)) }),
    };
  if (Array.isArray(value)) return value.map((entry) => scrubbed(entry));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, scrubbed(inner, name)]));
  return value;
}

const LEVELS: Readonly<Record<number, string>> = { 20: 'debug', 30: 'info', 40: 'WARN', 50: 'ERROR' };

/** Prints one readable line per entry, for a developer's terminal. */
const readable = {
  write(line: string): void {
    const { level, msg, time, sms, ...rest } = JSON.parse(line) as {
      level: number;
      msg: string;
      time: number;
      sms?: string;
    };
    const more = Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`;
    // By console, so that a test runner can hold it back.
    console.log(
      `${new Date(time).toISOString().slice(11, 23)} ${LEVELS[level] ?? level} ${msg}${more}${sms === undefined ? '' : `\n${sms.replace(/^/gm, '    | ')}`}`,
    );
  },
};

/** JSON lines in production, readable lines otherwise. `quiet` keeps only errors. */
/** @param options.told hears of each line, by its level */
export function makeLog(options: {
  development: boolean;
  quiet: boolean;
  told?: (level: string) => void;
}): Log & { debug(data: object, message: string): void } {
  const level = options.quiet ? 'error' : 'info';
  const base = { level, base: null };
  const logger = options.development ? pino(base, readable) : pino(base);
  const at = (name: 'debug' | 'info' | 'warn' | 'error') => (data: object, message: string) => {
    if (name !== 'debug') options.told?.(name);
    if (logger.isLevelEnabled(name)) logger[name](scrubbed(traced(data)) as object, message);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
