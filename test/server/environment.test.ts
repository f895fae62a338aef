import { execFileSync } from 'node:child_process';
import { createECDH } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  bank,
  databasesAsked,
  readEnvironment,
  server,
  serverParts,
  smsGateway,
  withoutPassword,
} from '../../src/server/environment.ts';
import { environmentWith, HOSTS, loadHosts, hostSettings } from '../../src/server/rules/hosts/hosts.ts';
import { environmentExample } from '../kit/environmentExample.ts';
import { BANK, PAYTM, PRODUCTION } from '../kit/production.ts';
import { temporaryFolder } from '../kit/folder.ts';
import { root, sources } from '../architecture/sources.ts';

const GPAY = { GPAY_CLIENT_ID: 'c', GPAY_JWKS_URL: 'https://a.example', GPAY_PHONE_JWKS_URL: 'https://b.example' };
const ACCOUNTS = {
  PAYTM_CLIENT_ID: 'c',
  PAYTM_CLIENT_SECRET: 's',
  PAYTM_TOKEN_URL: 'https://a.example',
  PAYTM_USER_URL: 'https://b.example',
};
const pair = createECDH('prime256v1');
const KEYS = {
  VAPID_PUBLIC_KEY: pair.generateKeys('base64url'),
  VAPID_PRIVATE_KEY: pair.getPrivateKey().toString('base64url').padStart(43, 'A'),
};

const read = (values: Record<string, string>) => environmentWith([HOSTS], values);
const refusal = async (values: Record<string, string>): Promise<string> =>
  await read(values).then(
    () => '',
    (error: Error) => error.message,
  );

describe('the environment', () => {
  test('a provider is configured whole or not at all: whatever is left out is named', async () => {
    for (const whole of [BANK, PAYTM, GPAY, ACCOUNTS, KEYS]) {
      expect(await refusal(whole)).toBe('');
      for (const left of Object.keys(whole)) {
        expect(await refusal({ ...whole, [left]: '' })).toContain(`${left} is missing`);
      }
    }
    expect(await refusal({ BANK_URL: BANK.BANK_URL })).toContain(
      'BANK_MERCHANT, BANK_SECRET, BANK_VPA are missing: The bank is configured whole or not at all (there is BANK_URL)',
    );
    expect(await refusal({ SMS_KEY: 'key' })).toContain('SMS_URL is missing');
    expect(await refusal({ TILES_CREDIT: 'me' })).toContain('TILES_URL is missing');
    for (const wrong of ['*', 'https:', 'http://app.example', 'https://app.example/page', "'self'"])
      expect(await refusal({ LEAGUE_FRAMES: wrong })).toContain('LEAGUE_FRAMES must be origins');
    expect(await refusal({ LEAGUE_FRAMES: 'https://app.example, https://two.example:8443' })).toBe('');
  });

  test('all that is wrong is told at once, and no secret with it', async () => {
    const said = await refusal({
      ...BANK,
      BANK_URL: 'nonsense',
      BANK_VPA: 'nobody',
      PAYTM_URL: 'not a url',
      PAYTM_KEY: 'short',
      NODE_ENV: 'prod',
      TRUST_PROXY: 'maybe',
      VAPID_PUBLIC_KEY: 'x',
      VAPID_PRIVATE_KEY: 'private-y',
    });
    for (const name of [
      'BANK_URL',
      'BANK_VPA',
      'PAYTM_URL',
      'PAYTM_KEY',
      'PAYTM_MID, PAYTM_WEBSITE are missing',
      'NODE_ENV',
      'TRUST_PROXY',
      'VAPID_PUBLIC_KEY',
      'VAPID_PRIVATE_KEY',
    ])
      expect(said).toMatch(new RegExp(`^  ${name}`, 'm'));
    expect(said).toContain("(it is 'not a url')");
    expect(said).not.toMatch(/short|private-y|a-secret/);
  });

  /** A value that is wrong for each variable, or why any text of it is right. */
  const SPOILT: Readonly<Record<string, readonly string[] | { readonly any: string }>> = {
    PORT: ['x', '65536', '-1', '1.5'],
    HOST: ['0.0.0.0'],
    DATABASE_URL: ['mysql://x/y', 'postgres://[bad/none', 'postgres://x:99999/none'],
    NODE_ENV: ['prod'],
    PUBLIC_ORIGIN: [
      'shop.example',
      'https:shop.example',
      'ftp://shop.example',
      'https://shop.example/below',
      'https://shop.example?a',
      'https://shop.example/#a',
      'https://me:hunter2@shop.example',
      ' https://shop.example',
      'https://shop.example\nX: y',
    ],
    TRUST_PROXY: ['yes'],
    DRAIN_SECONDS: ['1e3', '-1'],
    ADDRESS_CONNECTIONS: ['0', 'many'],
    EMBEDDED_VENDORS: ['maybe'],
    CODES_AN_HOUR: ['0', '-1', '1e9'],
    ADDRESS_MEGABYTES: ['0', 'x'],
    BACKUPS_FOLDER: { any: 'a folder that is not there has no backup, which is told (metrics.test.ts)' },
    ORDER_NAMES_DAYS: ['179', '1e3', 'never', '100000'],
    DELETIONS_FILE: { any: 'found when the server starts (backup.test.ts)' },
    METRICS_PORT: ['x'],
    METRICS_HOST: { any: 'found where it listens, by its name (main.test.ts)' },
    DISABLE_COOKIES: ['2'],
    ANALYTICS: ['2'],
    OTP_VARIANT: ['3'],
    BANK_VPA: ['shop', 'shop@bank@bank', 'a&b@bank'],
    CARD_FIELDS_URL: ['http://bank.example', "https://bank.example/ 'unsafe-inline'", 'https://a@bank.example'],
    CARD_FIELDS_PORT: ['x'],
    VAPID_PUBLIC_KEY: ['x', 'A'.repeat(87)],
    VAPID_PRIVATE_KEY: ['x'],
    TILES_URL: ['https://tiles.example/{z}/{x}'],
    LEAGUE_FRAMES: ['*', ','],
    PAYTM_KEY: ['short'],
    PARTNERS_FILE: ['/nowhere.json'],
  };
  const BASES = /^(BANK|RAILWAY|EXPERIMENTS|PAYTM)_URL$/;
  const spoilt = (name: string) => {
    if (name in SPOILT) return SPOILT[name]!;
    if (name.startsWith('DATABASE_READ_URL')) return ['file.db', 'postgres://[bad/none'];
    if (name.startsWith('DATABASE_URL_')) return SPOILT['DATABASE_URL']!;
    if (/^(SMS|EMAIL)_KEY$/.test(name)) return ['a\nb', 'clé'];
    if (name.startsWith('OIDC_SOURCE')) return ['Not so'];
    if (name.startsWith('OIDC_ISSUER')) return ['https://a.example?b', 'http://a.example'];
    if (name.endsWith('_URL'))
      return [
        'x',
        'ftp://a.example',
        'https:a',
        'https://a b',
        'https://me:hunter2@a.example',
        'https://a.example/#b',
      ].concat(BASES.test(name) ? ['https://a.example/?b'] : []);
    return /_(CLIENT_ID|CLIENT_SECRET|SECRET|MERCHANT|MERCHANT_ID|PARTNER|ACCOUNT|KEY|MID|WEBSITE|SCOPE|ISSUER|AUDIENCE|CREDIT)(_\d)?$|^OIDC_LABEL/.test(
      name,
    )
      ? { any: 'a name, a secret or a text of somebody else, which they judge' }
      : [];
  };
  const variables = [...serverParts, ...hostSettings()].flatMap((part) => part.variables);
  test.each(variables)('$name with a value that is none is refused by its name, with that value', async (variable) => {
    const values = spoilt(variable.name);
    if ('any' in values) return;
    expect(values).not.toEqual([]);
    for (const value of values) {
      const said = await refusal({ ...(variable.name.startsWith('VAPID') ? KEYS : {}), [variable.name]: value });
      const [line] = said.split('\n  ').filter((one) => one.startsWith(`${variable.name} `) && !/ missing:/.test(one));
      expect([value, line]).toEqual([value, expect.any(String)]);
      expect(line).not.toContain('hunter2');
      if (!variable.isSecret) expect(line).toContain(value.replace(':hunter2@', ':...@'));
    }
  });

  test('an address that others reach us by, or that paths are put behind, may end with a slash', async () => {
    const environment = readEnvironment({
      ...BANK,
      PUBLIC_ORIGIN: 'https://Shop.example/',
      BANK_URL: 'https://a.example/b/',
    });
    expect(environment.read(server).publicOrigin).toBe('https://shop.example');
    expect(environment.read(bank)?.url).toBe('https://a.example/b');
  });

  test('production starts only when whoever takes its money is configured whole; all that is missing is told at once', async () => {
    const production = { NODE_ENV: 'production', SMS_URL: 'https://sms.example' };
    const whole = PRODUCTION;
    expect(await refusal(whole)).toBe('');
    expect(await refusal({ ...production, EMBEDDED_VENDORS: 'on' })).toBe('');
    expect(await refusal({ EMBEDDED_VENDORS: 'off' })).toBe('');
    for (const left of [...Object.keys(BANK), ...Object.keys(PAYTM), 'PUBLIC_ORIGIN'])
      expect(await refusal({ ...whole, [left]: '' })).toContain(`${left} is missing`);
    for (const [one, other] of [
      [BANK, Object.keys(PAYTM)],
      [PAYTM, Object.keys(BANK)],
    ] as const)
      expect(await refusal({ ...production, ...one, PUBLIC_ORIGIN: 'https://shop.example' })).toContain(
        `${other.join(', ')} are missing`,
      );
    const said = await refusal({ ...production, BANK_URL: 'nonsense', PAYTM_MID: 'M1' });
    for (const name of [
      'BANK_MERCHANT, BANK_SECRET, BANK_VPA are missing',
      'BANK_URL must be',
      'PAYTM_URL, PAYTM_KEY, PAYTM_WEBSITE are missing',
      'PUBLIC_ORIGIN is missing',
    ])
      expect(said).toMatch(new RegExp(`^  ${name}`, 'm'));
    expect(said).not.toContain('takes money in production');
  });

  test('development is for this machine alone, unless it is asked for by name; production sends its codes', async () => {
    for (const HOST of [
      '0.0.0.0',
      '::',
      '0',
      '0.0.0.0 ',
      '127.1',
      '2130706433',
      '::ffff:0.0.0.0',
      '[::]',
      '127.0.0.1.shop.example',
      'localhost.shop.example',
      '192.0.2.7',
      'shop.example',
    ]) {
      expect(await refusal({ HOST })).toMatch(/^  HOST opens development to others/m);
      expect(await refusal({ HOST, NODE_ENV: 'test' })).toMatch(/^  HOST opens development to others/m);
      expect(await refusal({ HOST, NODE_ENV: 'development' })).toBe('');
    }
    for (const HOST of ['', 'localhost', '127.0.0.1', '127.1.2.3', '::1']) expect(await refusal({ HOST })).toBe('');
    for (const NODE_ENV of ['prod', 'Production', 'PRODUCTION', 'production ', 'staging', 'dev', 'Development', 'null'])
      expect(await refusal({ NODE_ENV })).toMatch(/^  NODE_ENV must be production, development or test/m);
    expect(await refusal({ NODE_ENV: 'production', EMBEDDED_VENDORS: 'on' })).toMatch(/^  SMS_URL is missing/m);
  });

  test('proxies are counted, or named by their addresses; half of that is refused', async () => {
    for (const TRUST_PROXY of ['0', '1', '10.0.0.0/8', '10.0.0.0/8, 2001:db8::/32,127.0.0.1'])
      expect(await refusal({ TRUST_PROXY })).toBe('');
    for (const TRUST_PROXY of ['on', '10', '10.0.0.0/33', '10.0.0/8', '10.0.0.0/8,', 'proxy.example', '10.0.0.0/-1'])
      expect([TRUST_PROXY, await refusal({ TRUST_PROXY })]).toEqual([
        TRUST_PROXY,
        expect.stringContaining('TRUST_PROXY must be how many proxies there are, or their addresses'),
      ]);
  });

  test('countries have databases of their own whole or beside a common one, and a replica is of something', async () => {
    const [A, B, C] = ['postgres://a/shop', 'postgres://b/shop', 'postgres://c/shop'];
    const asked = async (values: Record<string, string>) =>
      databasesAsked(await read(values), 'file').map(({ countries, target, replica }) => [
        countries.join(),
        target,
        replica,
      ]);
    expect(await asked({})).toEqual([['IN,LK,BG', 'file', null]]);
    expect(await asked({ DATABASE_URL: A, DATABASE_READ_URL: B, DATABASE_URL_LK: C, DATABASE_URL_BG: C })).toEqual([
      ['IN', A, B],
      ['LK,BG', C, null],
    ]);
    expect(
      await asked({ DATABASE_URL_IN: A, DATABASE_READ_URL_IN: B, DATABASE_URL_LK: B, DATABASE_URL_BG: 'bg.db' }),
    ).toEqual([
      ['IN', A, B],
      ['LK', B, null],
      ['BG', 'bg.db', null],
    ]);
    expect(await refusal({ DATABASE_URL_IN: A })).toContain('DATABASE_URL_LK, DATABASE_URL_BG are missing');
    expect(await refusal({ DATABASE_READ_URL: A })).toContain(
      'DATABASE_URL is missing: DATABASE_READ_URL is a replica',
    );
    expect(await refusal({ DATABASE_URL: A, DATABASE_READ_URL_LK: A })).toContain('DATABASE_URL_LK is missing');
    expect(await refusal({ DATABASE_URL: 'mysql://secret@x', DATABASE_READ_URL: 'file' })).not.toContain('secret');
  });

  test.each([
    ['postgres://shop:secret@db/shop', 'postgres://shop:...@db/shop'],
    ['postgres://shop:se@cret@db/shop', 'postgres://shop:...@db/shop'],
    ['postgres://shop:se:cret@db:5432/shop', 'postgres://shop:...@db:5432/shop'],
    ['postgres://:secret@db/shop', 'postgres://:...@db/shop'],
    ['postgres://shop@db:5432/shop?x=a@b', 'postgres://shop@db:5432/shop?x=a@b'],
    ['/data/pizza.db', '/data/pizza.db'],
  ])('%s is shown as %s', (address, shown) => {
    expect(withoutPassword(address)).toBe(shown);
  });

  test('values come with their types, and an empty one is as good as none', () => {
    const environment = readEnvironment({ PORT: '81', TRUST_PROXY: '2', PUBLIC_ORIGIN: '', ...BANK, SMS_URL: ' ' });
    expect(environment.read(server)).toEqual({
      addressConnections: 512,
      codesAnHour: 3000,
      addressMegabytes: 14,
      orderNamesDays: 750,
      deletionsFile: null,
      port: 81,
      host: null,
      database: null,
      readDatabase: null,
      mode: null,
      publicOrigin: null,
      trustProxy: 2,
      drainSeconds: null,
      embeddedVendors: null,
    });
    expect(environment.read(bank)).toMatchObject({ url: 'https://bank.example', vpa: 'shop@bank' });
    expect(environment.read(smsGateway)).toBeNull();
  });

  test('the variables of a host are its own folder to declare', async () => {
    expect(() => readEnvironment(GPAY).read(hostSettings()[0]!)).toThrow('no part of this environment');
    const folder = temporaryFolder('pizza-hosts');
    execFileSync('mkdir', [path.join(folder, 'eight')]);
    writeFileSync(
      path.join(folder, 'eight/server.ts'),
      `import { httpAddress, provider, words } from '${root}/src/server/environment.ts';
       export const host = { name: 'eight', payment: { mode: 'GPAY', about: '' }, settings: [provider('Eight', {
         url: { name: 'EIGHT_URL', about: '', as: httpAddress }, key: { name: 'EIGHT_KEY', about: '', as: words } })] };`,
    );
    await expect(environmentWith([folder], { EIGHT_URL: 'x' })).rejects.toThrow(
      /EIGHT_KEY is missing: Eight[\s\S]*EIGHT_URL must be an http or https address/,
    );
  });
});

test('.env.example lists every variable, with a line each, and no other; `npm start` reads it', async () => {
  await loadHosts([HOSTS]);
  const shipped = readFileSync(path.join(root, '.env.example'), 'utf8');
  const lines = (text: string) => text.split('\n');
  const due = environmentExample(hostSettings().filter(({ title }) => title !== 'Eight'));
  expect(lines(due).filter((line) => !lines(shipped).includes(line))).toEqual([]);
  expect(lines(shipped).filter((line) => !lines(due).includes(line))).toEqual([]);
  // As it stands it configures nothing.
  const values = parseEnv(shipped);
  expect(Object.keys(values).length).toBeGreaterThan(25);
  expect(Object.values(values).filter((value) => value !== '')).toEqual([]);
  expect(
    (JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: object }).scripts,
  ).toMatchObject({
    start: expect.stringContaining('--env-file-if-exists=.env src/server/main.ts'),
  });
  if (existsSync(path.join(root, '.git')))
    expect(execFileSync('git', ['check-ignore', '.env'], { cwd: root, encoding: 'utf8' })).toContain('.env');
});

test('nothing of the product reads the environment beside the schema', () => {
  const reads = /\bprocess\??\.\s*env\b|\bprocess\[|import\.meta\.env|\benv\b[^;]*from 'node:process'/;
  // A build says which mode it is in; the text that the bundler replaces and what a child is handed on are not read.
  const own =
    /'import\.meta\.env(?:\.MODE)?'|'process\.env\.NODE_ENV'|\.\.\.process\.env\b|process\.env(\.|\[')NODE_ENV('\])? \?\?= /g;
  const readers = sources.flatMap(({ file, code }) =>
    (file.startsWith('src/build/') ? code.replace(own, '') : code)
      .split('\n')
      .filter((line) => reads.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  // What is started by a person hands it to the schema as a whole.
  expect(readers.toSorted()).toEqual([
    "src/server/commands/backup.ts: await command(process.env, 'backup', 'to', async ({ database, secrets }, file, mayReplace) => {",
    'src/server/commands/catalogue.ts: process.env,',
    'src/server/commands/experiments.ts: process.env,',
    'src/server/commands/features.ts: process.env,',
    "src/server/commands/migrate.ts: await command(process.env, 'migrate', null, async ({ databases }) => {",
    'src/server/commands/restore.ts: process.env,',
    'src/server/commands/stores.ts: process.env,',
    'src/server/commands/tickets.ts: process.env,',
    'src/server/main.ts: const values = process.env;',
    'src/server/operations/story.ts: const targets = databasesNamed(process.env, HERE).map(({ target }) => target);',
  ]);
});
