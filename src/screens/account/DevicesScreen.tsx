import * as alive from '#text/alive.ts';
import * as t from '#text/account.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import type { Device } from '../../contract/devices.ts';
import { clockAheadAtom } from '../../state/base/clock.ts';
import { devicesState, endDeviceAtom, deviceTasks, endOthersAtom } from '../../state/people/devices.ts';
import { logoutAtom } from '../../state/people/login.ts';
import { sentenceOf } from '../../state/base/popup.ts';
import { isLoggedInAtom } from '../../state/base/session.ts';
import * as login from '#text/login.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { DeviceIcon } from '../../ui/pictures/icons.ts';
import { Aside, Page } from '../../ui/page/Page.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { useCustomerChange } from '../base/customerChange.ts';
import { useClock } from '../base/clock.ts';
import { NotLoaded } from '../base/NotLoaded.tsx';
import { ACCOUNT, LOGIN } from './paths.ts';
import css from './Account.module.css';

export const enter = atom(null, async (get, set) => {
  if (get(isLoggedInAtom)) await set(devicesState.load);
});

const nameOf = ({ device, app }: Device): string => {
  if (app === null) return device ?? t.deviceUnknown;
  return device === null ? app : t.deviceApp({ app, device });
};

function Row({ device }: { device: Device }) {
  const clock = useClock();
  const now = Date.now() + useAtomValue(clockAheadAtom);
  const ending = useAtomValue(deviceTasks.busyAtom);
  const end = useSetAtom(endDeviceAtom);
  const logout = useSetAtom(logoutAtom);
  const name = nameOf(device);
  const date = clock.date(device.usedAt);
  const isToday = date === clock.date(now);
  const loggedIn = clock.date(device.loggedInAt);
  const label = device.isThis ? login.logout : t.deviceEndOne({ device: name });
  return (
    <li className={css.device}>
      <span className={css.sign}>
        <DeviceIcon size={20} />
      </span>
      <div>
        <h2>{name}</h2>
        {device.isThis ? (
          <Tag tone="lime">{t.deviceThis}</Tag>
        ) : (
          <p>{t.deviceUsed({ isToday: isToday ? 'yes' : 'no', date, time: clock.time(device.usedAt) })}</p>
        )}
        <p>
          {device.place === null
            ? t.deviceSince({ date: loggedIn })
            : t.deviceNear({ place: device.place, date: loggedIn })}
        </p>
      </div>
      <Button
        small
        kind="secondary"
        aria-label={label}
        busy={ending === device.sessionId}
        onClick={() => void (device.isThis ? logout() : end(device.sessionId))}
      >
        {t.deviceEnd}
      </Button>
    </li>
  );
}

function Devices() {
  const { status, data, failure } = useAtomValue(devicesState.atom);
  const load = useSetAtom(devicesState.load);
  const ending = useAtomValue(deviceTasks.busyAtom);
  const endOthers = useSetAtom(endOthersAtom);
  if (data === null && status === 'failed')
    return (
      <NotLoaded title={t.devicesFailed} failure={failure} menu="/" onRetry={() => void load()}>
        {sentenceOf(failure)}
      </NotLoaded>
    );
  if (data === null)
    return (
      <div className={css.stack} aria-busy>
        {[1, 2].map((one) => (
          <Skeleton key={one} height="5.5rem" />
        ))}
      </div>
    );
  const isAlone = data.length < 2;
  return (
    <>
      <p>{isAlone ? t.deviceAlone : t.devicesText}</p>
      <Card flush>
        <ul className={css.devices}>
          {[...data.filter(({ isThis }) => isThis), ...data.filter(({ isThis }) => !isThis)].map((device) => (
            <Row key={device.sessionId} device={device} />
          ))}
        </ul>
      </Card>
      {!isAlone && (
        <Button full kind="secondary" busy={ending === 'others'} onClick={() => void endOthers()}>
          {t.deviceOthers}
        </Button>
      )}
      {data.some(({ app }) => app !== null) && <Aside>{t.deviceApps}</Aside>}
    </>
  );
}

/** Where a customer is logged in, and the way to end it there. */
export default function DevicesScreen() {
  useCustomerChange(enter);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  return (
    <>
      <AppBar title={t.devicesTitle} back={{ label: alive.account, href: href(ACCOUNT) }} />
      {isLoggedIn ? (
        <Page>
          <Devices />
        </Page>
      ) : (
        <EmptyState
          picture={<EmptyPicture />}
          title={t.profileGuest}
          action={<Button href={href(LOGIN)}>{login.title}</Button>}
        >
          {t.profileGuestText}
        </EmptyState>
      )}
    </>
  );
}
