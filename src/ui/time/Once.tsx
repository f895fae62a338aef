import { useEffect, useEffectEvent } from 'react';

/** Runs `run` once when it is shown, and once more for each other `name`. */
export function Once({ name, run }: { name: string; run: () => void }) {
  const start = useEffectEvent(run);
  useEffect(() => start(), [name]);
  return null;
}
