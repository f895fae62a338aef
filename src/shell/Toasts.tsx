import { useAtom } from 'jotai';
import { useDeferredValue } from 'react';
import { toastAtom } from '../state/first/toast.ts';
import { Toast } from '../ui/Toast.tsx';

export function Toasts() {
  const [current, setToast] = useAtom(toastAtom);
  // Deferred: the effect of a tap is on the screen before the message about it.
  const toast = useDeferredValue(current);
  return (
    <Toast
      message={toast?.message ?? null}
      action={
        toast?.action && {
          text: toast.action.label,
          onPress: () => {
            setToast(null);
            toast.action?.act?.();
          },
        }
      }
      onDone={() => setToast(null)}
    />
  );
}
