import { useEffect, useEffectEvent, useState } from 'react';
import * as stores from '../contract/stores.ts';
import type { Phone } from './phones.ts';
import { ask } from './server.ts';

const LOOK_EVERY_MS = 60_000;

/** Whether most shops near the middle of the phone's country are closed now, by the shop's clock, as at night. */
export function useClosed(phone: Phone, isThere: boolean, offsetMs: number): boolean {
  const [closed, setClosed] = useState(false);
  const look = useEffectEvent(async () => {
    const { latitude, longitude } = phone.country.mapCentre;
    const { storeStationDetails: near } = await ask(
      stores.nearest,
      { query: { latitude: String(latitude), longitude: String(longitude), orderDeliveryType: 'PICKUP' } },
      phone.apiKey,
    );
    return near.filter(({ isOpen }) => !isOpen).length * 2 > near.length;
  });
  useEffect(() => {
    if (!isThere) return;
    let isOver = false;
    const turn = () =>
      void look().then(
        (is) => {
          if (!isOver) setClosed(is);
        },
        // That the server is gone is said elsewhere.
        () => undefined,
      );
    turn();
    const timer = setInterval(turn, LOOK_EVERY_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [phone.country.COUNTRY_CODE, isThere, offsetMs]);
  return closed;
}
