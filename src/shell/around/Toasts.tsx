import { useAtom } from 'jotai';
import { useCallback, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { toastAtom } from '../../state/first/toast.ts';
import { Toast } from '../../ui/overlays/Toast.tsx';
import { useAfterPaint } from '../../ui/time/afterPaint.ts';

export function Toasts() {
  const [current, setToast] = useAtom(toastAtom);
  // The effect of a tap is on the screen before the message about it, for which all that it may cover is measured.
  const toast = useAfterPaint(current);
  const [path] = useLocation();
  const done = useCallback(() => setToast(null), [setToast]);
  // It belongs to the screen on which it was first seen. One that is told while another screen opens belongs to that.
  const home = useRef({ id: 0, path });
  useLayoutEffect(() => {
    if (!toast) return;
    if (home.current.id !== toast.id) home.current = { id: toast.id, path };
    else if (home.current.path !== path) done();
  }, [toast, path, done]);
  return (
    <Toast
      id={toast?.id}
      message={toast?.message ?? null}
      action={
        toast?.action && {
          text: toast.action.label,
          onPress: () => {
            done();
            toast.action?.act?.();
          },
        }
      }
      onDone={done}
    />
  );
}
