import type { Db } from './db.ts';

declare module './db.ts' {
  interface Tables {
    /** Devices that were logged in with a number. `device` is the hash of a token that only the device has. */
    known_devices: { device: string; country: string; mobile: string; seen_at: number };
  }
}

interface DeviceNumber {
  readonly device: string;
  readonly country: string;
  readonly mobile: string;
}

export async function isDeviceOf(db: Db, { device, country, mobile }: DeviceNumber): Promise<boolean> {
  const row = await db
    .selectFrom('known_devices')
    .select('device')
    .where('device', '=', device)
    .where('country', '=', country)
    .where('mobile', '=', mobile)
    .executeTakeFirst();
  return row !== undefined;
}

/** A device that is logged in with a number; seen again, only its time changes. */
export async function putDevice(db: Db, known: DeviceNumber, at: number): Promise<void> {
  await db
    .insertInto('known_devices')
    .values({ ...known, seen_at: at })
    .onConflict((c) => c.columns(['device', 'country', 'mobile']).doUpdateSet({ seen_at: at }))
    .execute();
}

/** No other device is known by this number from now on. */
export async function forgetOtherDevices(
  db: Db,
  { device, country, mobile }: { device: string | null; country: string; mobile: string },
): Promise<void> {
  await db
    .deleteFrom('known_devices')
    .where('country', '=', country)
    .where('mobile', '=', mobile)
    .$if(device !== null, (q) => q.where('device', '!=', device))
    .execute();
}

/** Nobody is known by this number any more: it may be somebody else's soon. */
export async function forgetDevicesOf(db: Db, country: string, mobile: string): Promise<void> {
  await db.deleteFrom('known_devices').where('country', '=', country).where('mobile', '=', mobile).execute();
}
