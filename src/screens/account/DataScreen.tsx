import * as alive from '#text/alive.ts';
import * as firstText from '#text/first.ts';
import * as t from '#text/privacy.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { dateFormat } from '../../domain/hours.ts';
import type { PersonalCopy } from '../../contract/copy.ts';
import { money } from '../../contract/money.ts';
import { formatMoney } from '../../domain/money.ts';
import { copyAccess, copyAtom, copyCode, copyName, makeCopyNowAtom } from '../../state/people/copy.ts';
import { countryAtom } from '../../state/base/country.ts';
import { apiAtom, profileAtom } from '../../state/first/seams.ts';
import { isLoggedInAtom } from '../../state/base/session.ts';
import { showTop } from '../../ui/overlays/showTop.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { Aside, Page } from '../../ui/page/Page.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { Proof } from './Proof.tsx';
import { useCustomerChange } from '../base/customerChange.ts';
import css from './Privacy.module.css';

export const enter = atom(null, async (get, set) => {
  set(copyCode.leave);
  set(copyAtom, null);
  await get(apiAtom)
    .ensureSession()
    .catch(() => undefined);
  if (get(isLoggedInAtom)) await set(copyAccess.load);
});

type Country = Parameters<typeof formatMoney>[1] & { readonly locale: string; readonly timeZone: string };
const titles = (): Readonly<Record<string, string>> => ({
  me: t.me,
  addresses: t.addresses,
  orders: alive.orders,
  money: t.money,
  points: t.points,
  devices: t.devices,
  consents: t.consents,
  help: t.help,
  activity: t.activity,
});

/** `first_name` and `lineTotal` as words: the names are the file's own. */
const wordOf = (name: string) => {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
const TIMES = /(^at|_at|_from|_to|_by|_for|At|deadline|^version_at)$/;
const AMOUNTS = /^(amount|total|balance|balance_after|price|lineTotal|tip|originalPrice)$/;
const FLAGS = /(verified|given|removed|aside|declined|is_host|carry_bag|cutlery)$/;

/** A value as a person reads it; what is inside another is indented. */
function textOf(name: string, value: unknown, country: Country, indent = ''): string {
  if (value === null || value === '' || value === undefined) return t.none;
  if (typeof value === 'boolean' || FLAGS.test(name)) return Number(value) ? t.yes : t.no;
  if (typeof value === 'number' && value > 1e11 && TIMES.test(name))
    return dateFormat(country.locale, {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: country.timeZone,
    }).format(value);
  if (typeof value === 'number' && AMOUNTS.test(name)) return formatMoney(money(value), country);
  if (Array.isArray(value))
    return value.length === 0 ? t.none : value.map((one) => textOf(name, one, country, indent)).join('\n');
  if (typeof value === 'object')
    return Object.entries(value)
      .filter(([, one]) => one !== null && one !== '' && !(Array.isArray(one) && one.length === 0))
      .map(([key, one]) => {
        const isDeep = typeof one === 'object';
        const said = textOf(key, one, country, `${indent}  `);
        return `${indent}${wordOf(key)}: ${isDeep ? `\n${said}` : said}`;
      })
      .join('\n');
  return String(value);
}

function Table({ name, rows, country }: PersonalCopy['sections'][number]['tables'][number] & { country: Country }) {
  return (
    <div className={css.table}>
      <h3>
        {t.table({ name: name as Parameters<typeof t.table>[0]['name'] })}{' '}
        <small className={css.soft}>{t.rows({ count: rows.length })}</small>
      </h3>
      {rows.map((row, index) => (
        <dl key={index} className={css.row}>
          {Object.entries(row).map(([column, value]) => (
            <Entry key={column} name={column} text={textOf(column, value, country)} />
          ))}
        </dl>
      ))}
    </div>
  );
}

function Entry({ name, text }: { name: string; text: string }) {
  return (
    <>
      <dt>{wordOf(name)}</dt>
      <dd>{text}</dd>
    </>
  );
}

/** A file without asking the server again: what is on the page is what is in it. */
function FileLink({ copy }: { copy: PersonalCopy }) {
  const file = `data:application/json;charset=utf-8,${encodeURIComponent(JSON.stringify(copy, null, 2))}`;
  return (
    <Button href={file} {...{ download: copyName(copy) }}>
      {t.dataFile}
    </Button>
  );
}

function Copy({ copy }: { copy: PersonalCopy }) {
  // The webview of a payment app saves no files; there the page is what there is.
  const hasFiles = useAtomValue(profileAtom).fullMode;
  const country = useAtomValue(countryAtom);
  const time = dateFormat(country.locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: country.timeZone,
  }).format(copy.madeAt);
  return (
    <Page>
      <Aside isNews>{t.dataMade({ time })}</Aside>
      <div className={`${css.both} ${css.screenOnly}`}>
        {hasFiles && <FileLink copy={copy} />}
        <Button kind="secondary" onClick={() => globalThis.print()}>
          {t.dataPrint}
        </Button>
      </div>
      {copy.sections.map(({ id, tables }) => (
        <Card key={id} title={titles()[id] ?? wordOf(id)}>
          {tables.map((table) => (
            <Table key={table.name} {...table} country={country} />
          ))}
        </Card>
      ))}
    </Page>
  );
}

function Ask() {
  const access = useAtomValue(copyAccess.atom);
  const isBusy = useAtomValue(copyCode.busyAtom) === 'make';
  const load = useSetAtom(copyAccess.load);
  const makeNow = useSetAtom(makeCopyNowAtom);
  if (!access.data)
    return access.status === 'failed' ? (
      <EmptyState
        picture={<EmptyPicture />}
        title={t.failed}
        action={
          <Button kind="secondary" onClick={() => void load()}>
            {firstText.tryAgain}
          </Button>
        }
      />
    ) : (
      <Page busy>
        <Skeleton height="12rem" />
      </Page>
    );
  const { needsCode, mobile } = access.data;
  return (
    <Page>
      <Aside>{t.dataIntro}</Aside>
      <Card title={t.dataShow}>
        {needsCode && mobile !== null ? (
          <Proof of={copyCode} mobile={mobile} label={t.dataShow} kind="primary" />
        ) : (
          <div className={css.stack}>
            {needsCode && <p>{t.freshOnly}</p>}
            <Button full busy={isBusy} onClick={() => void makeNow().then(showTop)}>
              {t.dataShow}
            </Button>
          </div>
        )}
      </Card>
    </Page>
  );
}

/** Everything that is known of the customer, to read, to print and as a file. */
export default function DataScreen() {
  useCustomerChange(enter);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const copy = useAtomValue(copyAtom);
  return (
    <>
      <AppBar title={t.dataTitle} back={{ label: t.toProfile, href: href('/postorder-ui/profile') }} />
      {!isLoggedIn ? (
        <EmptyState
          picture={<EmptyPicture />}
          title={t.guestTitle}
          action={<Button href={href('/login?redirectUrl=%2Fmy-data')}>{t.login}</Button>}
        >
          {t.guestData}
        </EmptyState>
      ) : copy ? (
        <Copy copy={copy} />
      ) : (
        <Ask />
      )}
    </>
  );
}
