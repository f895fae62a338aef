import * as t from '#text/alive.ts';
import { useAtom, useAtomValue } from 'jotai';
import { profileAtom } from '../../state/first/seams.ts';
import { Popup } from '../../ui/overlays/Popup.tsx';
import { useHostBack } from '../back.ts';
import { popupAtom } from '../../state/base/popup.ts';

/** The generic popup. Loaded when the first one is shown. */
export default function Popups() {
  const { fullMode } = useAtomValue(profileAtom);
  const [content, setContent] = useAtom(popupAtom);
  const close = () => setContent(null);
  useHostBack(content !== null, close);
  if (!content) return null;
  const button = (one: { label: string; act?: () => void; isDestructive?: boolean } | undefined) =>
    one && {
      text: one.label,
      ...(one.isDestructive && { isDestructive: true }),
      onPress: () => {
        close();
        one.act?.();
      },
    };
  return (
    <Popup
      header={content.header}
      message={content.message}
      secondMessage={content.second ?? (content.reference && <small>{t.reference({ id: content.reference })}</small>)}
      left={button(content.left)}
      right={button(content.right)}
      areEqual={content.areEqual === true}
      closeOnOutside={fullMode}
      onClose={close}
    />
  );
}
