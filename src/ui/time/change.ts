import { useEffect, useRef } from 'react';

/** Says that a value is another one than when this was last drawn. */
export function useChange(value: unknown, onChange: () => void): void {
  const before = useRef(value);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    onChange();
  });
}
